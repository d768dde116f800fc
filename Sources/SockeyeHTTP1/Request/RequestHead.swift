/// All that goes into the head of one request, but for the client's own fields. Strings are shared with the caller,
/// nothing is copied.
package struct RequestHead: Sendable {
    package var method: String
    package var kind: MethodKind
    package var target: RequestTarget
    /// The caller's fields.
    package var headers: Headers
    package var body: RequestFraming
    /// Sends `Connection: close`.
    package var closesConnection: Bool
    /// Sends `Expect: 100-continue`, provided there is a body.
    package var expectsContinue: Bool
    /// The protocols to offer, such as `websocket`; sends Upgrade and `Connection: upgrade`.
    package var upgrade: String?

    package init(
        method: String,
        kind: MethodKind? = nil,
        target: RequestTarget,
        headers: Headers = Headers(),
        body: RequestFraming = .none,
        closesConnection: Bool = false,
        expectsContinue: Bool = false,
        upgrade: String? = nil
    ) {
        self.method = method
        self.kind = kind ?? MethodKind(method)
        self.target = target
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
        self.expectsContinue = expectsContinue
        self.upgrade = upgrade
    }
}
