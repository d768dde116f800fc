extension HTTPURL {
    /// The host to resolve and connect to: with the zone of a link-local address, which is for this machine only.
    package var connectHost: String {
        guard let zone = origin.zone else { return host }
        return "\(host)%\(zone)"
    }

    /// This URL with a path that ends in a slash, so that relative references append to it. Query and fragment go.
    package var withDirectoryPath: HTTPURL {
        get throws(URLFault) {
            let path = self.path
            return try resolving(path.hasSuffix("/") ? path : path + "/")
        }
    }
}
