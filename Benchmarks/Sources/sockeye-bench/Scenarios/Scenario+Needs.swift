import BenchmarkKit

extension Scenario {
    /// An ability that a scenario requires of a client, beyond plain requests one after another.
    enum Need: CaseIterable {
        /// Decoding JSON into values.
        case decoding
        /// Decoding gzip, and Brotli and Zstandard.
        case inflation, otherCodings
        /// Uploading bodies from a sequence of chunks, from a file, and forms.
        case streams, files, forms
        /// Limiting the connections to fewer than the tasks.
        case connectionLimit
        /// Absolute-form to a proxy, tunnels by CONNECT, tunnels to a TLS proxy, tunnels by SOCKS 5.
        case forwarding, tunnels, proxyTLS, socks
        /// Measurements other than requests in turns: starts, idle connections, cancellations.
        case lifecycle
    }

    var needs: Set<Need> {
        var needs: Set<Need> = []
        switch job {
        case .get: break
        case .json: needs.insert(.decoding)
        case .upload: needs.insert(uploadedFile == nil ? .streams : .files)
        case .form: needs.insert(.forms)
        }
        if let coding { needs.insert(coding == .gzip ? .inflation : .otherCodings) }
        switch route {
        case .direct: break
        case .forwarded: needs.insert(.forwarding)
        case .tunnel: needs.insert(.tunnels)
        case .tunnelTLS: needs.insert(.proxyTLS)
        case .socks: needs.insert(.socks)
        }
        if let tasks, tasks > connections { needs.insert(.connectionLimit) }
        if mode != .turns { needs.insert(.lifecycle) }
        return needs
    }
}
