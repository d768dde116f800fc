import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Opens a tunnel over a new connection to a proxy: the I/O around ``TunnelMachine`` (CONNECT) and the
/// ``SOCKSMachine``s.
struct TunnelOpener {
    enum Outcome {
        /// The stream now leads to the target.
        case open
        /// An HTTP proxy refused. The caller may answer a 407 with credentials. The refusal of a SOCKS proxy is thrown
        /// instead.
        case refused(ResponseHead, body: Bytes)
    }

    let proxy: Proxy
    let url: HTTPURL
    /// The address of the target to which a SOCKS proxy connects; nil for the host and the port of the URL.
    let address: EndpointAddress?
    let stream: any ByteStream
    let deadline: MonotonicTime
    /// The configured time limit, for the error of a time-out.
    let configured: Duration?

    /// Opens the tunnel. The caller remains responsible for closing the stream.
    ///
    /// - Parameter authorization: The value of Proxy-Authorization, for a proxy that speaks HTTP.
    func open(authorization: String?) async throws(SockeyeError) -> Outcome {
        let user = proxy.address.user
        switch proxy.kind {
        case .http, .https: return try await openWithConnect(authorization)
        case .socks4, .socks4a:
            try await openWithSOCKS(socks4Machine(user))
        case .socks5, .socks5h:
            try await openWithSOCKS(
                SOCKS5Machine(
                    host: host, port: port, credentials: user.map { ($0, proxy.address.password ?? "") }))
        }
        return .open
    }

    // MARK: CONNECT

    private func openWithConnect(_ authorization: String?) async throws(SockeyeError) -> Outcome {
        try await send(connectHead(authorization))
        var machine = TunnelMachine()
        while true {
            switch try await nextOutcome(&machine) {
            case nil: continue
            case .open: return .open
            case .refused(let head, let body): return .refused(head, body: body)
            }
        }
    }

    private func nextOutcome(_ machine: inout TunnelMachine) async throws(SockeyeError) -> TunnelMachine.Outcome? {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await receive(atMost: 4096)
        } catch {
            // A refusal counts even if the rest of its content never comes.
            if error != .cancelled, let refusal = machine.atEnd { return refusal }
            throw SockeyeError(error, of: proxy, configured: configured)
        }
        do throws(PeerFault) {
            guard bytes.isEmpty else { return try machine.receive(bytes) }
            guard let refusal = machine.atEnd else { throw machine.fault() }
            return refusal
        } catch {
            throw SockeyeError(error, of: proxy)
        }
    }

    /// The head of CONNECT: host and port of the target, the fields of `connectHeaders`, and the credentials for the
    /// proxy, but nothing of the later request.
    private func connectHead(_ authorization: String?) throws(SockeyeError) -> [UInt8] {
        var headers = proxy.connectHeaders?(url) ?? Headers()
        if let authorization {
            headers.removeAll(named: .proxyAuthorization)
            headers.append(.proxyAuthorization, authorization)
        }
        let authority = Substring(url.authorityForm).utf8
        let head = RequestHead(
            method: "CONNECT", target: .text(target: authority, authority: authority), headers: headers,
            isSentToProxy: true)
        do throws(RequestFault) {
            return try RequestHeadEncoder.encode(head)
        } catch {
            throw SockeyeError(error)
        }
    }

    // MARK: SOCKS

    private var host: String { address?.host ?? url.host }
    private var port: Int { address?.port ?? url.port }

    private func socks4Machine(_ user: String?) throws(SockeyeError) -> SOCKS4Machine {
        do throws(SOCKSFault) {
            return try SOCKS4Machine(host: host, port: port, user: user)
        } catch {
            throw SockeyeError(error, of: proxy)
        }
    }

    private func openWithSOCKS(_ machine: some SOCKSMachine) async throws(SockeyeError) {
        var machine = machine
        try await send(machine.greeting)
        while true {
            switch try await nextStep(&machine) {
            case .read: continue
            case .send(let message): try await send(message)
            case .open: return
            }
        }
    }

    private func nextStep(_ machine: inout some SOCKSMachine) async throws(SockeyeError) -> SOCKSStep {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await receive(atMost: machine.missingByteCount)
        } catch {
            throw SockeyeError(error, of: proxy, configured: configured)
        }
        guard !bytes.isEmpty else { throw SockeyeError(PeerFault.closedBeforeResponse, of: proxy) }
        do throws(SOCKSFault) {
            return try machine.receive(bytes)
        } catch {
            throw SockeyeError(error, of: proxy)
        }
    }

    // MARK: Bytes

    private func send(_ bytes: [UInt8]) async throws(SockeyeError) {
        do throws(TransportError) {
            try await stream.writeAll(bytes, until: deadline)
        } catch {
            throw SockeyeError(error, of: proxy, configured: configured)
        }
    }

    /// Returns the next bytes; empty at the end of the stream.
    private func receive(atMost limit: Int) async throws(TransportError) -> [UInt8] {
        while true {
            var transfer = Transfer.end
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                transfer = unsafe stream.read(into: UnsafeMutableRawBufferPointer(buffer))
                if case .bytes(let received) = transfer { count = received }
            }
            switch transfer {
            case .bytes, .end: return bytes
            case .wouldBlock(let interest): try await stream.wait(for: interest, as: .reader, until: deadline)
            case .failed(let error): throw error
            }
        }
    }
}
