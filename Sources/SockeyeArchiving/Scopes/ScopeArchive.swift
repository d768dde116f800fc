public import Sockeye
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyePropertyLists
import SockeyeSerialization

/// The part of a client's scope (its settings for all calls) that can be archived: base URL, trusted origins, fields,
/// unix-domain socket, deadlines, tolerances, serializers and policies. It is the counterpart of archiving an
/// AFNetworking manager.
///
/// ```swift
/// let file = try JSONEncoder().encode(api.archivedScope())
/// let archive = try JSONDecoder().decode(ScopeArchive.self, from: file)
/// let api = HTTPClient(configuration: configuration).scoped(by: archive)
/// ```
///
/// The configuration of the client is not included: `ClientConfiguration` is `Codable` itself.
public struct ScopeArchive: Codable, Sendable {
    fileprivate var baseURL: String?
    fileprivate var trustedOrigins: [String] = []
    private var isConfined = false
    private var headers = Headers()
    private var unixSocketPath: String?
    private var timeouts: Timeouts?
    private var tolerances: ResponseTolerances?
    /// True if the credentials of the parent scope were dropped when this scope was made, because the origin of the
    /// base URL must not get them. In this case the client certificate of `ClientConfiguration.tls` is not sent either.
    private var isOutsideScope = false
    private var serializer: ParameterSerializer?
    /// Not nil only if the serializer comes from a parent scope with other origins. The serializer must then add
    /// neither these fields nor Authorization and similar fields. Nil if it may add any field.
    private var withheldFields: [String]?
    private var decoder: ArchivedDecoder?
    private var interceptors: [ArchivedInterceptor] = []

    private static let archive = Archive<Self>(
        .optional("baseURL", \.baseURL), .value("trustedOrigins", \.trustedOrigins, unless: []),
        .value("isConfined", \.isConfined, unless: false), .value("headers", \.headers, unless: [:]),
        .optional("unixSocketPath", \.unixSocketPath),
        .optional("timeouts", \.timeouts), .optional("tolerances", \.tolerances),
        .value("isOutsideScope", \.isOutsideScope, unless: false),
        .optional("requestSerializer", \.serializer), .optional("withheldFields", \.withheldFields),
        .optional("decoder", \.decoder),
        .value("interceptors", \.interceptors))

    /// Reads a scope. Missing settings take the values of a new client: for example, redirects are followed if
    /// `interceptors` is missing.
    public init(from decoder: any Decoder) throws {
        var standard = Self()
        standard.interceptors = [.redirects(RedirectPolicy())]
        self = try Self.archive.read(from: decoder, over: standard)
    }

    /// Writes the scope, with its secrets if it was made by `archivedScope(includingSecrets: true)`.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }

    private init() {}

    fileprivate init(_ scope: ClientScope, includingSecrets: Bool) throws {
        let settings = scope.settings
        try Self.check(settings, includingSecrets: includingSecrets)
        if let base = try settings.baseURL?.get() { baseURL = Self.text(of: base) }
        trustedOrigins = (settings.origins ?? []).dropFirst(baseURL == nil ? 0 : 1).map(\.description)
        isConfined = settings.isConfined
        headers = settings.headers
        (unixSocketPath, timeouts, tolerances) = (settings.unixSocketPath, settings.timeouts, settings.tolerances)
        isOutsideScope = settings.isOutsideScope
        withheldFields = settings.serialization?.withheld?.map(\.description)
        serializer = try settings.serialization?.requestSerializer.map { try Self.archivable($0) }
        decoder = try settings.serialization?.decoder.map { try ArchivedDecoder($0) }
        interceptors = try settings.interceptors.added.map { interceptor in
            guard let archived = ArchivedInterceptor(interceptor) else {
                throw EncodingError.unarchivable("\(type(of: interceptor)) cannot be archived", at: [])
            }
            return archived
        }
        // Encodes the scope now, so that a part with a closure causes an error here and not while a file is being
        // written.
        _ = try JSONValue(encoding: self)
    }

    private static func archivable(_ serializer: any RequestSerializer) throws -> ParameterSerializer {
        guard let archivable = serializer as? ParameterSerializer else {
            throw EncodingError.unarchivable("\(type(of: serializer)) cannot be archived", at: [])
        }
        return archivable
    }

    private static func text(of base: HTTPURL) -> String {
        guard let user = base.user else { return base.description }
        let password = base.password.map { ":" + PercentEncoding.encode($0) } ?? ""
        let scheme = base.scheme == .https ? "https://" : "http://"
        return scheme + PercentEncoding.encode(user) + password + "@" + base.description.dropFirst(scheme.count)
    }

    private static func check(_ settings: ClientScope.Settings, includingSecrets: Bool) throws {
        guard settings.monitors.isEmpty else {
            throw EncodingError.unarchivable("monitors cannot be archived", at: [])
        }
        guard settings.context.isEmpty else {
            throw EncodingError.unarchivable("context values, such as a URL template, cannot be archived", at: [])
        }
        guard !includingSecrets else { return }
        let set = settings.interceptors.added.compactMap { ($0 as? HeaderInterceptor)?.name }
        let added = (settings.serialization?.requestSerializer as? ParameterSerializer)?.options.headers.map(\.name)
        let secretFields = settings.interceptors.secretFields
        let names = settings.headers.map(\.name) + set + (added ?? [])
        if let field = names.first(where: { $0.isSecret || secretFields.contains($0) }) {
            throw EncodingError.unarchivable(
                "the field \(field) is secret; archivedScope(includingSecrets: true) archives it", at: [])
        }
        if try settings.baseURL?.get().user != nil {
            throw EncodingError.unarchivable(
                "the base URL has credentials; archivedScope(includingSecrets: true) archives them", at: [])
        }
    }

    fileprivate func apply(to settings: inout ClientScope.Settings) {
        settings.isConfined = isConfined
        settings.headers = headers
        settings.unixSocketPath = unixSocketPath
        settings.timeouts = timeouts
        settings.tolerances = tolerances
        settings.context = OutgoingRequest.Context()
        settings.isOutsideScope = isOutsideScope
        settings.interceptors = InterceptorList(interceptors.map(\.interceptor))
        settings.serialization = ScopeSerialization(
            requestSerializer: serializer, decoder: decoder?.decoder,
            withheld: withheldFields?.map { Headers.Name($0) })
    }
}

extension HTTPClient {
    /// Returns the part of the client's scope that can be archived; see ``ScopeArchive``.
    ///
    /// - Parameter includingSecrets: True to include secrets unchanged: credentials in the base URL, and secret fields
    ///   of the scope, of its request serializer and of its header interceptors. Secret fields are Authorization and
    ///   similar fields, and the fields that the scope's redirect policy strips. If false, the default, a scope with
    ///   secrets causes an error, so that the secrets are neither lost nor disclosed silently.
    /// - Throws: `EncodingError.invalidValue` that names the part that cannot be archived: a secret (unless
    ///   `includingSecrets` is true); a monitor; a URL template; a policy, serializer or decoder with a closure; a
    ///   policy for authentication, cookies or caching; a custom interceptor or serializer. Also throws
    ///   ``/Sockeye/SockeyeError`` if the base URL or a trusted origin cannot be parsed.
    public func archivedScope(includingSecrets: Bool = false) throws -> ScopeArchive {
        try ScopeArchive(scope, includingSecrets: includingSecrets)
    }

    /// Returns a client with an archived scope in place of this client's scope. Both clients share their connections.
    ///
    /// The monitors of this client are kept. If the base URL or a trusted origin cannot be parsed, every request fails
    /// with ``/Sockeye/SockeyeError/Code-swift.struct/invalidURL``.
    public func scoped(by archive: ScopeArchive) -> HTTPClient {
        var client = HTTPClient(
            scope: scope.changed { settings in
                (settings.baseURL, settings.origins) = (nil, nil)
                archive.apply(to: &settings)
            })
        if let base = archive.baseURL { client = client.scoped(baseURL: base) }
        return archive.trustedOrigins.isEmpty ? client : client.scoped(trusting: archive.trustedOrigins)
    }
}
