import Glibc

/// The kind of network that an interface belongs to, as far as the kernel knows (rtnetlink(7), sysfs(5)).
package enum InterfaceClass: Sendable, Hashable {
    case loopback, ethernet, wifi, cellular, other

    /// Classifies an interface by its hardware type and its entries in sysfs.
    package init(_ link: RouteMessage.Link) {
        let folder = "/sys/class/net/\(link.name)"
        let isSafe = !link.name.isEmpty && !link.name.contains("/") && link.name != ".."
        let isWireless = unsafe isSafe && access(folder + "/wireless", F_OK) == 0
        self.init(
            hardware: link.hardware, isWireless: isWireless, event: isSafe ? Self.read(folder + "/uevent") : "")
    }

    /// - Parameter event: The lines of the interface's `uevent`; only DEVTYPE is used.
    package init(hardware: UInt16, isWireless: Bool, event: String) {
        let type = event.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst("DEVTYPE=".count)
        switch (type, hardware) {
        case ("wlan", _): self = .wifi
        case ("wwan", _): self = .cellular
        case _ where isWireless: self = .wifi
        case (_, 1): self = .ethernet
        case (_, 772): self = .loopback
        // Modems that carry plain IP packets (ARPHRD_RAWIP).
        case (_, 519): self = .cellular
        default: self = .other
        }
    }

    private static func read(_ path: String) -> String {
        let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
