public import SockeyeEngine

extension OutgoingRequest {
    /// The key of a value in a call's ``Context``. An enum without cases is enough:
    ///
    /// ```swift
    /// enum TenantKey: OutgoingRequest.ContextKey { typealias Value = Tenant }
    /// ```
    ///
    /// This protocol never gains a requirement; see <doc:Stability>.
    public protocol ContextKey {
        /// The type of the value.
        associatedtype Value: Sendable
    }

    /// The caller's values that travel with a call, by the type of their key.
    ///
    /// ```swift
    /// enum TenantKey: OutgoingRequest.ContextKey { typealias Value = Tenant }
    ///
    /// let response = try await client.get(
    ///     "report", options: .context(TenantKey.self, tenant))
    /// ```
    ///
    /// Interceptors read the context from the request's options or from ``Call/context``, and monitors from
    /// ``ObservedCall/context``. Callers of SockeyeTransfers read it from `TransferTask.context`. The context stays
    /// with the call through redirects, retries, pauses and resumes. It is never sent or archived, and never appears
    /// in a description.
    public struct Context: Sendable, CustomStringConvertible, CustomReflectable {
        /// The values by the identity of their key's type.
        package private(set) var values: [ObjectIdentifier: any Sendable] = [:]

        /// Creates an empty context.
        public init() {}

        package var isEmpty: Bool { values.isEmpty }

        /// The value of a key; nil if the key is not set.
        public subscript<Key: ContextKey>(_ key: Key.Type) -> Key.Value? {
            get { values[ObjectIdentifier(key)] as? Key.Value }
            set { values[ObjectIdentifier(key)] = newValue }
        }

        /// Returns these values merged with `others`. The values here take precedence.
        func over(_ others: Context) -> Context {
            var context = self
            context.values.merge(others.values) { own, _ in own }
            return context
        }

        /// The same text for all contexts, because values may be secret.
        public var description: String { "context of a call" }

        /// A mirror without children, because values may be secret.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
}

extension OutgoingRequest.Options {
    /// The caller's values that travel with the call. Default: empty. See ``OutgoingRequest/Context``.
    public var context: OutgoingRequest.Context {
        get { call?.values.context ?? OutgoingRequest.Context() }
        set { changeCall { $0.context = newValue } }
    }

    /// Returns options with a value in their ``context``.
    public static func context<Key: OutgoingRequest.ContextKey>(
        _ key: Key.Type, _ value: Key.Value
    ) -> OutgoingRequest.Options {
        OutgoingRequest.Options().context(key, value)
    }

    /// Returns these options with a value added to, or replaced in, their ``context``.
    public func context<Key: OutgoingRequest.ContextKey>(_ key: Key.Type, _ value: Key.Value) -> OutgoingRequest.Options
    {
        with { $0.context[key] = value }
    }

    /// Options that other products define, such as those of downloads and of the cache. Each option has its own key.
    package var further: OutgoingRequest.Context {
        get { call?.values.further ?? OutgoingRequest.Context() }
        set { changeCall { $0.further = newValue } }
    }
}
