import CSockeyeSystem

/// The kind of network that an interface belongs to, as far as the kernel knows.
package enum InterfaceClass: Sendable, Hashable {
    case loopback, ethernet, wifi, cellular, other

    /// Classifies an interface by its hardware type and its properties in sysfs.
    package init(_ link: RouteMessage.Link) {
        let isSafe = !link.name.isEmpty && !link.name.contains("/") && link.name != ".."
        self.init(
            hardware: link.hardware, isWireless: unsafe isSafe && sockeye_interface_is_wireless(link.name),
            event: isSafe ? Self.properties(of: link.name) : "")
    }

    /// - Parameter event: The lines of `/sys/class/net/<name>/uevent`; only DEVTYPE is used.
    package init(hardware: UInt16, isWireless: Bool, event: String) {
        let type = event.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst("DEVTYPE=".count)
        switch (type, hardware) {
        case ("wlan", _): self = .wifi
        case ("wwan", _): self = .cellular
        case _ where isWireless: self = .wifi
        // ARPHRD_ETHER and ARPHRD_LOOPBACK.
        case (_, 1): self = .ethernet
        case (_, 772): self = .loopback
        // Modems that carry plain IP packets (ARPHRD_RAWIP).
        case (_, 519): self = .cellular
        default: self = .other
        }
    }

    private static func properties(of name: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe sockeye_interface_properties(name, &bytes, bytes.count)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
