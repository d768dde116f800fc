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
    /// Whether it is a proxy that reads this head; no other gets Proxy-Authorization. CONNECT always goes to a proxy.
    package var isForProxy: Bool

    package init(
        method: String,
        kind: MethodKind? = nil,
        target: RequestTarget,
        headers: Headers = Headers(),
        body: RequestFraming = .none,
        closesConnection: Bool = false,
        expectsContinue: Bool = false,
        upgrade: String? = nil,
        isForProxy: Bool = false
    ) {
        let kind = kind ?? MethodKind(method)
        self.method = method
        self.kind = kind
        self.target = target
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
        self.expectsContinue = expectsContinue
        self.upgrade = upgrade
        self.isForProxy = isForProxy || kind == .connect
    }
}
