/// The properties of a request that its exchange depends on.
package struct ExchangeFacts: Sendable, Hashable {
    package var method: MethodKind
    /// Whether bytes follow the request head.
    package var hasBody: Bool
    /// Whether the head carried `Expect: 100-continue`.
    package var expectsContinue: Bool
    /// Whether the head carried Upgrade.
    package var requestsUpgrade: Bool
    /// Whether the head carried `Connection: close`.
    package var closesConnection: Bool
    package var limits: HTTP1Limits

    package init(
        method: MethodKind,
        hasBody: Bool = false,
        expectsContinue: Bool = false,
        requestsUpgrade: Bool = false,
        closesConnection: Bool = false,
        limits: HTTP1Limits = HTTP1Limits()
    ) {
        self.method = method
        self.hasBody = hasBody
        self.expectsContinue = expectsContinue && hasBody
        self.requestsUpgrade = requestsUpgrade
        self.closesConnection = closesConnection
        self.limits = limits
    }

    /// The facts of a head as it is encoded.
    package init(_ head: borrowing RequestHead, limits: HTTP1Limits = HTTP1Limits()) {
        self.init(
            method: head.kind,
            hasBody: !head.body.isEmpty,
            expectsContinue: head.expectsContinue,
            requestsUpgrade: head.upgrade != nil,
            closesConnection: head.closesConnection,
            limits: limits
        )
    }
}
