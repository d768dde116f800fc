import SockeyeCore
import SockeyeHTTP

/// Answers of proxies.
enum TunnelTargets {
    /// Reads the answer to CONNECT.
    static let tunnel: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let pieces = input.pieces()
        let whole = connect([input.bytes[...]])
        let cut = connect(pieces)
        // Bytes in the same read as the answer are a fault, and bytes in a later read belong to the tunnel.
        if whole.hasPrefix("surplus") { return }
        require(whole == cut, "a tunnel depends on how the answer is cut: \(whole), \(cut)")
    }

    private static func connect(_ pieces: [ArraySlice<UInt8>]) -> String {
        var machine = TunnelMachine()
        do throws(PeerFault) {
            for piece in pieces {
                if let outcome = try machine.receive(piece) { return describe(outcome) }
            }
            return machine.atEnd.map(describe) ?? "\(machine.fault())"
        } catch {
            if case .surplusBytes = error { return "surplus" }
            return "\(error)"
        }
    }

    private static func describe(_ outcome: TunnelMachine.Outcome) -> String {
        switch outcome {
        case .open: return "open"
        case .refused(let head, let body):
            require(body.count <= TunnelMachine.limit, "a refusal of \(body.count) bytes")
            // Without a length, only the bytes in the same read as the head are kept.
            return "refused \(head.status) \(head.summary.contentLength == nil ? [] : Array(body))"
        }
    }

    /// Reads the answers of a SOCKS server of version 5 (RFC 1928, RFC 1929) or 4.
    static let socks: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let credentials = input.flag() ? (user: "user", password: "password") : nil
        let host = String(repeating: "h", count: input.choice(below: 256))
        if input.flag(), let machine = try? SOCKS4Machine(host: host, port: 443, user: credentials?.user) {
            let whole = run(machine, input.bytes, byByte: false)
            require(whole == run(machine, input.bytes, byByte: true), "SOCKS 4 depends on how the answer is cut")
            return
        }
        let whole = run(SOCKS5Machine(host: host, port: 443, credentials: credentials), input.bytes, byByte: false)
        let single = run(SOCKS5Machine(host: host, port: 443, credentials: credentials), input.bytes, byByte: true)
        require(whole == single, "SOCKS depends on how the answers are cut")
    }

    /// Gives the machine the bytes that it needs, at once or one at a time, and returns its output and its end.
    private static func run(_ start: some SOCKSMachine, _ bytes: [UInt8], byByte: Bool) -> [[UInt8]] {
        var machine = start
        var rest = bytes[...]
        var sent: [[UInt8]] = [machine.greeting]
        do throws(SOCKSFault) {
            while !rest.isEmpty {
                require((1...262).contains(machine.missingByteCount), "\(machine.missingByteCount) bytes are missing")
                let piece = rest.prefix(byByte ? 1 : machine.missingByteCount)
                rest = rest.dropFirst(piece.count)
                switch try machine.receive(piece) {
                case .send(let message): sent.append(message)
                case .read: break
                case .open: return sent + [Array("open".utf8)]
                }
            }
            return sent
        } catch {
            return sent + [Array("\(error)".utf8)]
        }
    }
}
