import SockeyeHTTP

/// What the requests of several steps have in common.
enum SampleRequest {
    /// What a client sends with every request.
    static func defaults() -> DefaultFields {
        DefaultFields(["Accept-Encoding": "gzip, deflate", "User-Agent": "sockeye"])
    }

    /// What is asked for.
    static func target() -> RequestTarget {
        guard let url = try? HTTPURL("https://api.example.com/v1/users?page=2&size=50") else {
            fatalError("a sample that is no URL")
        }
        return .url(url)
    }
}
