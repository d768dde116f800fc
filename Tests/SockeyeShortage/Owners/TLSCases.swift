import SockeyeCore
import SockeyeEssentials
import SockeyeNet
import SockeyeTesting

/// TLS: contexts and all their parts, handshakes, and certificates.
struct TLSCases: Sendable {
    private let root: TestCertificateAuthority
    private let server: TestCertificate
    private let client: TestCertificate
    private let staple: Bytes
    private let folder: String
    private let clientContext: TLSContext
    private let serverContext: TLSServerContext
    private let poller: EventPoller

    /// - Parameter folder: The path of a folder for the files that a configuration names.
    init(folder: String) throws {
        root = try TestCertificateAuthority()
        let intermediate = try root.intermediate()
        server = try intermediate.issue()
        var options = TestCertificateOptions(dnsNames: ["client"])
        options.purpose = .client
        client = try root.issue(options)
        staple = try intermediate.ocspResponse(for: server)
        self.folder = folder
        clientContext = try TLSContext(TLSOptions(roots: root.roots))
        serverContext = try TLSServerContext(TLSServerContext.Configuration(identity: server.identity))
        poller = try EventPoller()
        try Data(try intermediate.revocationList().utf8).write(to: URL(filePath: folder + "/list.pem"))
        try Data(root.pem.utf8).write(to: URL(filePath: folder + "/root.pem"))
        try Data(client.chainPEM.utf8).write(to: URL(filePath: folder + "/client.pem"))
        try Data(try client.key.pem(passphrase: "open sesame").utf8).write(to: URL(filePath: folder + "/client.key"))
        try Data().write(to: URL(filePath: folder + "/shared.keys"))
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: folder + "/shared.keys")
    }

    struct Unexpected: Error {}

    var all: [OwnerCase] {
        [
            OwnerCase("TLS context", checksMemory: false) { _ = try TLSContext(full) },
            OwnerCase("TLS context with a key log that is refused", checksMemory: false) {
                var options = TLSOptions(roots: root.roots)
                options.keyLogFile = folder + "/shared.keys"
                guard (try? TLSContext(options)) == nil else { throw Unexpected() }
            },
            OwnerCase("TLS context of a server", checksMemory: false) { _ = try TLSServerContext(serving()) },
            OwnerCase("certificate", checksMemory: false) { try read(server) },
            OwnerCase("pins", checksMemory: false) {
                _ = try TLSOptions.Pinning.certificate([.certificate(pem: root.pem), .certificate(server.der)])
            },
            OwnerCase("TLS connection before its handshake", checksMemory: false) { try await create() },
            OwnerCase("TLS 1.3 handshake", checksMemory: false) { try await shakeHands(.v1_3) },
            OwnerCase("TLS 1.2 handshake", checksMemory: false) { try await shakeHands(.v1_2) },
        ]
    }

    /// Options with a file or a text for each part.
    private var full: TLSOptions {
        var options = TLSOptions(
            roots: .file(folder + "/root.pem"),
            identity: .pem(
                certificateChain: .file(folder + "/client.pem"), privateKey: .file(folder + "/client.key"),
                passphrase: "open sesame"),
            revocation: .crl(file: folder + "/list.pem", .soft))
        options.revocation.stapling = .soft
        options.keyLogFile = folder + "/log.keys"
        return options
    }

    private func serving() -> TLSServerContext.Configuration {
        var configuration = TLSServerContext.Configuration(identity: server.identity)
        configuration.clientCertificates = .required
        configuration.clientRoots = .text(root.pem)
        configuration.stapledResponse = staple
        return configuration
    }

    private func read(_ certificate: TestCertificate) throws {
        let read = TLSCertificate(der: certificate.der)
        let parts = [read.subject, read.issuer, read.serialNumber, read.publicKeyPin, read.fingerprint, read.pem]
        guard !parts.contains(""), read.dnsNames.contains("localhost"), read.validUntil != nil else {
            throw Unexpected()
        }
    }

    /// Creates both sides of a connection in a cancelled task, which ends before the handshake. So it makes few calls,
    /// and each of them fails in turn.
    private func create() async throws {
        let (near, far) = try PipeStream.pair(poller: poller)
        defer {
            near.close()
            far.close()
        }
        try await Self.cancelled {
            try await TLSStream.connect(
                over: near, serverName: "localhost", context: clientContext, sessions: nil, sessionKey: "",
                until: .distantFuture)
        }
        try await Self.cancelled {
            try await TLSStream.accept(over: far, context: serverContext, until: .distantFuture)
        }
    }

    private static func cancelled(_ body: @escaping @Sendable () async throws -> TLSStream) async throws {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await body()
        }
        do {
            _ = try await task.value
            throw Unexpected()
        } catch TransportError.cancelled {}
    }

    /// Makes a handshake with a certificate on each side, a staple, a list of revoked certificates and a pin. Then each
    /// side sends a byte.
    private func shakeHands(_ version: TLSOptions.Version) async throws {
        var options = full
        options.maximumVersion = version
        options.pinning = try .publicKey([.spki(server.publicKeyPin)])
        let (clientContext, serverContext) = (try TLSContext(options), try TLSServerContext(serving()))
        let poller = try EventPoller()
        let (near, far) = try PipeStream.pair(poller: poller)
        let deadline = poller.time.now.advanced(by: .seconds(20))
        let sessions = TLSSessionCache()
        async let accepted = Self.closing(far) {
            let stream = try await TLSStream.accept(over: far, context: serverContext, until: deadline)
            try await Self.exchange(stream, deadline)
        }
        let connected: Result<Void, any Error> = await Self.closing(near) {
            let stream = try await TLSStream.connect(
                over: near, serverName: "localhost", context: clientContext, sessions: sessions, sessionKey: "",
                until: deadline)
            guard stream.info?.trust.certificates.isEmpty == false else { throw Unexpected() }
            try await Self.exchange(stream, deadline)
        }
        let results = await [connected, accepted]
        for result in results { try result.get() }
    }

    private static func exchange(_ stream: TLSStream, _ deadline: MonotonicTime) async throws {
        defer { stream.close() }
        var transfer = unsafe withUnsafeBytes(of: UInt8(1)) { unsafe stream.write($0) }
        while case .wouldBlock(let interest) = transfer {
            try await stream.wait(for: interest, as: .writer, until: deadline)
            transfer = unsafe withUnsafeBytes(of: UInt8(1)) { unsafe stream.write($0) }
        }
        if case .failed(let error) = transfer { throw error }
        while true {
            var byte: UInt8 = 0
            switch unsafe withUnsafeMutableBytes(of: &byte, { unsafe stream.read(into: $0) }) {
            case .bytes: return
            case .end: throw Unexpected()
            case .failed(let error): throw error
            case .wouldBlock(let interest): try await stream.wait(for: interest, as: .reader, until: deadline)
            }
        }
    }

    /// Closes the pipe of the side that fails, so that the other side does not wait.
    private static func closing(
        _ pipe: PipeStream, _ body: @Sendable () async throws -> Void
    ) async -> Result<Void, any Error> {
        do {
            return .success(try await body())
        } catch {
            pipe.close()
            return .failure(error)
        }
    }
}
