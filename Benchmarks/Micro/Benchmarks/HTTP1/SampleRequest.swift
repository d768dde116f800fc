import SockeyeHTTP

/// Parts of requests that several steps share.
enum SampleRequest {
    /// The fields that a client sends with every request.
    static func defaults() -> DefaultFields {
        DefaultFields(["Accept-Encoding": "gzip, deflate", "User-Agent": "sockeye"])
    }

    /// The request target.
    static func target() -> RequestTarget {
        guard let url = try? HTTPURL("https://api.example.com/v1/users?page=2&size=50") else {
            fatalError("a sample that is no URL")
        }
        return .url(url)
    }
}
