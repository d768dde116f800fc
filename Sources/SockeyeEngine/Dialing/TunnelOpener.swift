import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Opens a tunnel through a proxy over a fresh connection to it: the I/O around ``TunnelMachine`` (CONNECT) and
/// ``SOCKS5Machine``.
struct TunnelOpener {
    let proxy: Proxy
    let url: HTTPURL
    let stream: any ByteStream
    let deadline: MonotonicTime
    /// For the text of a time-out.
    let configured: Duration?

    /// Returns once the stream's bytes are the target's. The stream stays the caller's to close.
    func open() async throws(SockeyeError) {
        switch proxy.kind {
        case .http: try await openWithConnect()
        case .socks5: try await openWithSOCKS()
        }
    }

    // MARK: CONNECT

    private func openWithConnect() async throws(SockeyeError) {
        try await send(connectHead())
        var machine = TunnelMachine()
        while true {
            switch try await nextOutcome(&machine) {
            case nil: continue
            case .open: return
            case .refused(let head, let body): throw SockeyeError(refusalOf: proxy, head, body: body)
            }
        }
    }

    private func nextOutcome(_ machine: inout TunnelMachine) async throws(SockeyeError) -> TunnelMachine.Outcome? {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await receive(atMost: 4096)
        } catch {
            // A refusal is one even if the rest of its content never comes.
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

    /// Host and port of the target, and the credentials for the proxy; nothing of the request that is to follow.
    private func connectHead() throws(SockeyeError) -> [UInt8] {
        var headers = Headers()
        if let authorization = proxy.authorization { headers.append(.proxyAuthorization, authorization) }
        let authority = Substring(url.authorityForm).utf8
        let head = RequestHead(
            method: "CONNECT", target: .text(target: authority, authority: authority), headers: headers)
        do throws(RequestFault) {
            return try RequestHeadEncoder.encode(head)
        } catch {
            throw SockeyeError(error)
        }
    }

    // MARK: SOCKS

    private func openWithSOCKS() async throws(SockeyeError) {
        let address = proxy.address
        var machine = SOCKS5Machine(
            host: url.host, port: url.port, credentials: address.user.map { ($0, address.password ?? "") })
        try await send(machine.greeting)
        while true {
            switch try await nextStep(&machine) {
            case .read: continue
            case .send(let message): try await send(message)
            case .open: return
            }
        }
    }

    private func nextStep(_ machine: inout SOCKS5Machine) async throws(SockeyeError) -> SOCKS5Machine.Step {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await receive(atMost: machine.missing)
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
        var rest = bytes[...]
        do throws(TransportError) {
            while !rest.isEmpty {
                switch unsafe rest.withUnsafeBytes({ unsafe stream.write($0) }) {
                case .bytes(let count): rest.removeFirst(count)
                case .wouldBlock(let interest): try await stream.wait(for: interest, as: .writer, until: deadline)
                case .end: throw .closed
                case .failed(let error): throw error
                }
            }
        } catch {
            throw SockeyeError(error, of: proxy, configured: configured)
        }
    }

    /// The bytes that come next; none at the end of the stream.
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
