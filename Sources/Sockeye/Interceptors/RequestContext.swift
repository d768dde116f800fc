public import SockeyeEngine

extension OutgoingRequest {
    /// Names a value of a call's ``Context``. A type without cases is enough:
    ///
    /// ```swift
    /// enum TenantKey: OutgoingRequest.ContextKey { typealias Value = Tenant }
    /// ```
    ///
    /// It never gains a requirement; see <doc:Stability>.
    public protocol ContextKey {
        /// The type of the value.
        associatedtype Value: Sendable
    }

    /// Values of the caller's own that travel with a call, by the type of their key.
    ///
    /// ```swift
    /// enum TenantKey: OutgoingRequest.ContextKey { typealias Value = Tenant }
    ///
    /// let response = try await client.get("report", options: .context(TenantKey.self, tenant))
    /// ```
    ///
    /// Interceptors read it from the request's options or from ``Call/context``, monitors from ``ObservedCall/context``, and
    /// callers from ``TransferTask/context``. It stays with the call through redirects, retries, pauses and resumes. It is never
    /// sent, archived, or part of a description.
    public struct Context: Sendable, CustomStringConvertible, CustomReflectable {
        /// By the identity of the key's type.
        package private(set) var values: [ObjectIdentifier: any Sendable] = [:]

        /// Makes a context without values.
        public init() {}

        /// The value of a key; nil if it has none.
        public subscript<Key: ContextKey>(_ key: Key.Type) -> Key.Value? {
            get { values[ObjectIdentifier(key)] as? Key.Value }
            set { values[ObjectIdentifier(key)] = newValue }
        }

        /// These values, and those of `others` whose keys have none here.
        func over(_ others: Context) -> Context {
            var context = self
            context.values.merge(others.values) { own, _ in own }
            return context
        }

        /// The same text for all contexts: values may be secret.
        public var description: String { "context of a call" }

        /// Without children, for the same reason.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
}

extension OutgoingRequest.Options {
    /// Values that interceptors, monitors and tasks find with the call. Default none. See ``OutgoingRequest/Context``.
    public var context: OutgoingRequest.Context {
        get { call?.values.context ?? OutgoingRequest.Context() }
        set { changeCall { $0.context = newValue } }
    }

    /// Options with a value in their ``context``.
    public static func context<Key: OutgoingRequest.ContextKey>(
        _ key: Key.Type, _ value: Key.Value
    ) -> OutgoingRequest.Options {
        OutgoingRequest.Options().context(key, value)
    }

    /// These options with a further value in their ``context``, or another one for the same key.
    public func context<Key: OutgoingRequest.ContextKey>(_ key: Key.Type, _ value: Key.Value) -> OutgoingRequest.Options
    {
        with { $0.context[key] = value }
    }

    /// The options of downloads, tasks, event streams and WebSockets, each under a key of its own: plain calls do not carry
    /// them.
    package var further: OutgoingRequest.Context {
        get { call?.values.further ?? OutgoingRequest.Context() }
        set { changeCall { $0.further = newValue } }
    }
}
