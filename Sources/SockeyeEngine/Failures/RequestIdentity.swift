package import SockeyeHTTP

/// The request that an error belongs to.
package struct RequestIdentity: Sendable {
    package let method: String
    package let url: HTTPURL

    package init(method: String, url: HTTPURL) {
        self.method = method
        self.url = url
    }
}
