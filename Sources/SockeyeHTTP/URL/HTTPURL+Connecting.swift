extension HTTPURL {
    /// The host to resolve and connect to: with the zone of a link-local address, which is for this machine only.
    package var connectHost: String {
        guard let zone = origin.zone else { return host }
        return "\(host)%\(zone)"
    }

    /// This URL with a path that ends in a slash, so that relative references append to it. Query and fragment go.
    ///
    /// Cut out of the normal form, never parsed again: a path that begins with `//` would be read as a host.
    ///
    /// - Throws: ``URLFault`` if the result is longer than ``maximumLength``.
    package var withDirectoryPath: HTTPURL {
        get throws(URLFault) {
            var output = Array(slice(0, bounds.query))
            if output.last != UInt8(ascii: "/") { output.append(UInt8(ascii: "/")) }
            guard output.count <= Self.maximumLength else { throw URLFault(.tooLong) }
            let end = UInt32(output.count)
            return HTTPURL(
                text: String(decoding: output, as: UTF8.self), origin: origin, userInfo: userInfo, hostKind: hostKind,
                bounds: Bounds(path: bounds.path, query: end, fragment: end))
        }
    }
}
