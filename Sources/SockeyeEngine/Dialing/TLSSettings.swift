import SockeyeCore
import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// A TLS configuration, with the TLS context that is made from it. Requests share connections and sessions only if they
/// have the same configuration.
package final class TLSSetting: Sendable {
    /// The number of this setting: 0 for the client's own configuration, -1 for the settings of proxies and for
    /// settings that report a malformed host pattern. A ``TLSSettings`` gives any other number to one setting only.
    package let id: Int
    let configuration: TLSOptions
    private let fault: SockeyeError?
    /// The context that was returned last; nil before the first TLS connection.
    private let held = Mutex<TLSContext?>(nil)

    fileprivate init(id: Int, _ configuration: TLSOptions, fault: SockeyeError? = nil) {
        self.id = id
        self.configuration = configuration
        self.fault = fault
    }

    /// Creates the setting for connections to one proxy. The pool distinguishes these connections by the proxy itself,
    /// so all such settings share the id -1.
    init(ofProxy configuration: TLSOptions) {
        id = -1
        self.configuration = configuration
        fault = nil
    }

    /// Returns the TLS context. It is created only for the first TLS connection, because reading the system's roots
    /// takes milliseconds. It is created again if one of the files that it was made from has changed.
    func context() throws(TransportError) -> TLSContext {
        if let fault { throw .tls(TLSError(reason: .badConfiguration, message: fault.message)) }
        do throws(TLSError) {
            let context = try TLSContext.shared(for: configuration, unless: held.withLock { $0 }) {
                PublicSuffixList.isRegistrySuffix($0)
            }
            held.withLock { $0 = context }
            return context
        } catch {
            throw .tls(error)
        }
    }
}

/// The TLS configurations of a client. Chooses one for each request: the request's own, the host's, or the client's.
package final class TLSSettings: Sendable {
    private let standard: TLSSetting
    /// The client's own configuration without the client certificate. Used after a redirect to another origin. If the
    /// client has a base URL or trusted origins, also used for calls to origins other than these.
    private let anonymous: TLSSetting
    private let hosts: HostPatterns<TLSSetting>
    private let fault: SockeyeError?
    /// True if no host has a configuration of its own and the client's configuration has no pins. A request then uses
    /// ``standard``, whose id is 0, unless its `hasRareOptions` is true: only rare options select another setting.
    private let isUniform: Bool
    private let single = Mutex(SingleSettings())

    package init(_ standard: TLSOptions, overrides: [String: TLSOptions] = [:]) {
        self.standard = TLSSetting(id: 0, standard)
        var anonymous = standard
        anonymous.identity = nil
        self.anonymous = standard.identity == nil ? self.standard : TLSSetting(id: 1, anonymous)
        var hosts = HostPatterns<TLSSetting>()
        var fault: SockeyeError?
        // Sorted, so that the same configuration always gives the same error.
        for (index, entry) in overrides.sorted(by: { $0.key < $1.key }).enumerated() {
            if !hosts.add(TLSSetting(id: 2 + index, entry.value), for: entry.key), fault == nil {
                fault = SockeyeError(
                    .init(
                        .badConfiguration, phase: .prepare, blame: .caller,
                        message: "'\(entry.key)' is neither a host name nor a pattern such as *.example.com"))
            }
        }
        self.hosts = hosts
        self.fault = fault
        isUniform = overrides.isEmpty && standard.pinning == nil
        single.withLock { $0.nextID = 2 + overrides.count }
    }

    /// Returns the id of the TLS setting for a request; 0 for a request without TLS. The pool reuses a connection only
    /// for requests with the same id.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for a malformed host pattern, and for a request
    ///   without TLS to a host with pins, because such a request could reach any peer.
    @inline(__always)
    func identity(for request: OutgoingRequest.Parts) throws(SockeyeError) -> Int {
        if isUniform, !request.hasRareOptions { return 0 }
        return try checkedIdentity(for: request)
    }

    private func checkedIdentity(for request: OutgoingRequest.Parts) throws(SockeyeError) -> Int {
        if let fault { throw fault }
        let setting = setting(for: request.url, request.options)
        guard request.url.scheme == .http else { return setting.id }
        guard setting.configuration.pinning == nil else {
            throw SockeyeError(
                .init(
                    .badConfiguration, phase: .prepare, blame: .caller,
                    message: "the host is pinned, so a request to it without TLS (http) is refused"))
        }
        return 0
    }

    func setting(for url: HTTPURL, _ options: OutgoingRequest.Options) -> TLSSetting {
        if let fault { return TLSSetting(id: -1, standard.configuration, fault: fault) }
        if let own = options.tls { return single.withLock { $0.setting(for: own) } }
        if let found = hosts[url.host] { return found }
        return options.leftOrigin || options.isOutsideScope ? anonymous : standard
    }
}

/// The settings of requests that bring a TLS configuration of their own. Equal configurations share one setting.
private struct SingleSettings {
    var nextID = 0
    private var known = LRUCache<TLSOptions, TLSSetting>(capacity: 64)

    /// Returns the setting for a configuration. A configuration that the cache has evicted gets another id, so its idle
    /// connections are not reused.
    mutating func setting(for configuration: TLSOptions) -> TLSSetting {
        if let found = known.use(configuration) { return found }
        let made = TLSSetting(id: nextID, configuration)
        nextID += 1
        known.insert(made, for: configuration)
        return made
    }
}

/// Values by host: for a single name or address, or for all names below a name (`*.example.com`).
struct HostPatterns<Value: Sendable>: Sendable {
    private var exact: [String: Value] = [:]
    private var below: [String: Value] = [:]

    /// Adds a value; returns false if `pattern` is malformed. Names are compared in lower case, as A-labels, and
    /// without a trailing dot.
    mutating func add(_ value: Value, for pattern: String) -> Bool {
        let isSuffix = pattern.hasPrefix("*.")
        let text = String(isSuffix ? pattern.dropFirst(2) : pattern[...])
        let bracketed = text.utf8.contains(0x3A) && !text.hasPrefix("[") ? "[\(text)]" : text
        guard !text.isEmpty, !text.utf8.contains(where: { [0x2A, 0x2F, 0x3F, 0x23, 0x40, 0x5C].contains($0) }),
            let url = try? HTTPURL("https://\(bracketed)/"), url.port == 443, url.hostKind == .name || !isSuffix,
            text.utf8.last != 0x3A, isSuffix || !Self.hasPort(text, url)
        else { return false }
        if isSuffix, Self.hasPort(text, url) { return false }
        let name = Self.normalized(url.host)
        if isSuffix { below[name] = value } else { exact[name] = value }
        return true
    }

    private static func hasPort(_ text: String, _ url: HTTPURL) -> Bool {
        url.hostKind != .ipv6 && text.utf8.contains(0x3A)
    }

    /// The value for exactly this host; otherwise the value of the longest pattern (`*.example.com`) that matches it.
    subscript(_ host: String) -> Value? {
        guard !exact.isEmpty || !below.isEmpty else { return nil }
        let name = Self.normalized(host)
        if let found = exact[name] { return found }
        guard !below.isEmpty else { return nil }
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let found = below[String(rest)] { return found }
        }
        return nil
    }

    private static func normalized(_ host: String) -> String {
        host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
    }
}
