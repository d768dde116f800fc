import COpenSSL
import SockeyeCore
import SockeyePlatform
import Synchronization

/// A client's TLS context (SSL_CTX): the parsed roots, and the client's certificate with the matching private key.
///
/// It is expensive to create, since it reads and parses files. Connections with the same configuration share it.
package final class TLSContext: Sendable {
    package let configuration: TLSOptions
    /// Distinguishes the sessions of different contexts. Unlike the address of the object, it is never reused.
    let identifier = ContextSetup.nextIdentifier()
    let object: OpenSSLObject
    let keyLog: KeyLog?
    /// The versions of the configuration's files, taken before the files were read; nil for a missing file.
    let versions: [FileVersion?]
    private let lists: RevocationLists?
    private let isPublicSuffix: (@Sendable (String) -> Bool)?

    /// Creates a context.
    ///
    /// - Parameter isPublicSuffix: Returns true for a public suffix such as `co.uk`. Wildcards directly under it, such
    ///   as `*.co.uk` in a certificate, do not match; see ``HostNameMatcher``.
    /// - Throws: ``TLSError/Reason/badConfiguration``, which names the unusable file or setting,
    ///   ``TLSError/Reason/outOfResources`` if descriptors or memory are short, or ``TLSError/Reason/other`` if OpenSSL
    ///   cannot create a context.
    package init(
        _ configuration: TLSOptions, isPublicSuffix: (@Sendable (String) -> Bool)? = nil
    ) throws(TLSError) {
        self.configuration = configuration
        self.isPublicSuffix = isPublicSuffix
        versions = try FileVersion.all(of: configuration)
        lists = if let lists = configuration.revocation.lists { try RevocationLists(lists) } else { nil }
        try Self.check(configuration)
        keyLog = if let path = configuration.keyLogFile { try KeyLog(path: path) } else { nil }
        object = try unsafe ContextSetup.make(
            TLS_client_method(), minimum: configuration.minimumVersion, maximum: configuration.maximumVersion)
        try unsafe object.withPointer { context throws(TLSError) in
            try unsafe Self.setUp(context, configuration)
        }
    }

    /// Refuses stapling without roots, because no signer of an OCSP response would be trusted. Refuses the host name as
    /// the only check, because any server can put that name into its certificate.
    private static func check(_ configuration: TLSOptions) throws(TLSError) {
        let hasRoots = configuration.verification.checksChain || configuration.evaluation != nil
        guard hasRoots || configuration.revocation.stapling == nil else {
            throw TLSError(
                reason: .badConfiguration,
                message: "stapling requires the verification of the chain, or an evaluation")
        }
        guard configuration.verification == .hostNameOnly, configuration.evaluation == nil,
            configuration.pinning?.isEmpty ?? true
        else { return }
        throw TLSError(
            reason: .badConfiguration,
            message:
                "the verification hostNameOnly requires pinning or an evaluation, since no issuer is verified")
    }

    func verifier(for name: PeerName) -> PeerVerifier {
        PeerVerifier(
            verification: configuration.verification, name: name, pinning: configuration.pinning, lists: lists,
            isEvaluated: configuration.evaluation != nil, isPublicSuffix: isPublicSuffix)
    }

    private static func setUp(_ context: OpaquePointer, _ configuration: TLSOptions) throws(TLSError) {
        unsafe ContextSetup.preferShorterKeys(in: context)
        // With a cipher without authentication (aNULL, allowed only at the security level 0) the server sends no
        // certificate, so neither the chain nor a pin would be checked.
        try unsafe ContextSetup.use(
            ciphers: configuration.ciphers, excluded: ":!aNULL", suites: configuration.cipherSuites, in: context)
        // Without this mode, OpenSSL would ignore a refusal by the callback that ``ConnectionHooks`` installs. Even if
        // the configuration does not verify the chain, the callback may refuse a server that matches no pin.
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        if configuration.verification.checksChain || configuration.evaluation != nil {
            try unsafe RootStore.make(configuration.roots).withPointer { unsafe SSL_CTX_set1_cert_store(context, $0) }
        }
        if let identity = configuration.identity {
            try unsafe ContextSetup.use(identity, in: context)
            // A TLS 1.3 server may request the certificate later, for some of its resources only (RFC 8446 4.6.2).
            unsafe SSL_CTX_set_post_handshake_auth(context, 1)
        }
        let protocols = try ContextSetup.checked(protocols: configuration.applicationProtocols)
        let wire = protocols.flatMap { [UInt8($0.count)] + $0 }
        // Unlike most OpenSSL functions this one returns 0 for success.
        guard unsafe wire.isEmpty || SSL_CTX_set_alpn_protos(context, wire, UInt32(wire.count)) == 0 else {
            throw TLSError(reason: .badConfiguration, message: "the list of ALPN protocols is too long")
        }
        if configuration.revocation.stapling != nil { unsafe ConnectionHooks.installStapling(in: context) }
        // Only a ``TLSSessionCache`` stores sessions: OpenSSL's own cache would mix the sessions of different servers.
        unsafe sockeye_ctx_set_session_cache_mode(context, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
    }
}

extension TLSContext {
    /// Returns the context of a configuration. The context is created on first use.
    ///
    /// The most recently used contexts are cached, so that roots are not parsed for each connection. A context is
    /// replaced after its files have changed.
    ///
    /// - Parameters:
    ///   - held: A context that the caller got before for an equal configuration. It is returned as long as its files
    ///     are unchanged. It is also returned if one of the configuration's folders (of roots or of revocation lists)
    ///     cannot be listed for lack of descriptors or memory.
    ///   - isPublicSuffix: As for the initializer. All callers that pass a function must pass the same function,
    ///     because the cache does not compare functions.
    package static func shared(
        for configuration: TLSOptions, unless held: TLSContext? = nil,
        isPublicSuffix: (@Sendable (String) -> Bool)? = nil
    ) throws(TLSError) -> TLSContext {
        let versions: [FileVersion?]
        do throws(TLSError) {
            versions = try FileVersion.all(of: configuration)
        } catch {
            guard let held else { throw error }
            return held
        }
        if let held, held.versions == versions { return held }
        let isStrict = isPublicSuffix != nil
        let found = cache.withLock { $0.find(configuration, isStrict, versions) }
        if let found { return found }
        // Outside the lock: two tasks may create the same context, which wastes time but is harmless.
        let made = try TLSContext(configuration, isPublicSuffix: isPublicSuffix)
        return cache.withLock { $0.insert(made, isStrict) }
    }

    private static let cache = Mutex(ContextCache())
}

/// An LRU cache of TLS contexts by their configuration.
private struct ContextCache {
    private struct Key: Hashable {
        let configuration: TLSOptions
        /// True if wildcards of certificates do not match public suffixes.
        let isStrict: Bool
    }

    private var contexts = LRUCache<Key, TLSContext>(capacity: 16)

    /// Returns the context of a configuration; nil if there is no context. If one of its files has changed, removes the
    /// context and returns nil.
    mutating func find(_ configuration: TLSOptions, _ isStrict: Bool, _ versions: [FileVersion?]) -> TLSContext? {
        let key = Key(configuration: configuration, isStrict: isStrict)
        guard let context = contexts.use(key) else { return nil }
        guard context.versions == versions else {
            contexts.remove(key)
            return nil
        }
        return context
    }

    /// Stores a context and returns it. If another task has stored an equal context, returns the stored context
    /// instead. Each TLS session belongs to one context, so both tasks can then resume the same sessions.
    mutating func insert(_ context: TLSContext, _ isStrict: Bool) -> TLSContext {
        if let found = find(context.configuration, isStrict, context.versions) { return found }
        contexts.insert(context, for: Key(configuration: context.configuration, isStrict: isStrict))
        return context
    }
}

extension FileVersion {
    /// Returns the versions of a configuration's files in a fixed order; nil for a missing file.
    ///
    /// - Throws: ``TLSError/Reason/outOfResources`` if a folder cannot be listed for lack of descriptors or memory.
    fileprivate static func all(of configuration: TLSOptions) throws(TLSError) -> [FileVersion?] {
        var paths: [String] = []
        for source in configuration.roots.sources {
            switch source {
            case .system: break
            case .pem(let pem): if let path = pem.path { paths.append(path) }
            case .directory(let path): paths += try self.paths(in: path, listedBy: RootStore.files)
            }
        }
        if let identity = configuration.identity {
            paths += [identity.certificateChain, identity.privateKey].compactMap(\.path)
        }
        switch configuration.revocation.lists?.source {
        case .file(let path)?: paths.append(path)
        case .folder(let path)?: paths += try self.paths(in: path, listedBy: RevocationLists.files)
        case nil: break
        }
        return paths.map { SystemFile.version(of: $0) }
    }

    /// Returns the paths of a folder's files; the folder's own path if it cannot be listed.
    private static func paths(
        in folder: String, listedBy list: (String) throws(TLSError) -> [String]
    ) throws(TLSError) -> [String] {
        do throws(TLSError) {
            return try list(folder)
        } catch {
            guard error.reason != .outOfResources else { throw error }
            return [folder]
        }
    }
}

extension TLSOptions.PEM {
    fileprivate var path: String? {
        if case .file(let path) = source { path } else { nil }
    }
}
