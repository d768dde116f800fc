import BenchmarkKit

extension Scenario {
    /// What a client must be able to do for a scenario, beyond plain requests one after another.
    enum Need: CaseIterable {
        /// JSON into values.
        case decoding
        /// A gzip form is undone, and those of Brotli and Zstandard.
        case inflation, otherCodings
        /// Bodies from a sequence of chunks, from a file, and forms.
        case streams, files, forms
        /// No more than so many connections for more tasks than these.
        case connectionLimit
        /// Absolute-form to a proxy, a tunnel by CONNECT, one to a proxy that is spoken to over TLS, one of SOCKS 5.
        case forwarding, tunnels, proxyTLS, socks
        /// What is not requests in turns: starts, idle connections, cancellations.
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
