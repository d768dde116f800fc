/// Fields that an application behind a proxy typically adds to its responses.
enum ResponseFields {
    /// nginx itself sends Server, Date, Content-Type, Content-Length and Connection.
    static let ownOfNginx = 5

    /// The total numbers of fields that responses can have.
    static let counts = [8, 40]

    /// The part of nginx's configuration that answers `/fields-8` and so on with 13 bytes.
    static var locations: String {
        counts.map { count in
            let fields = added.prefix(count - ownOfNginx).map { "add_header \($0) \"\($1)\";" }.joined(separator: " ")
            return "location = /fields-\(count) { default_type text/plain; \(fields) return 200 \"Hello, world!\"; }"
        }.joined(separator: "\n")
    }

    private static let added: [(String, String)] = [
        ("Cache-Control", "private, max-age=0, must-revalidate"),
        ("X-Request-Id", "7f1c0f5e-4f0a-4b9e-9b0e-2d6f7c1a9e35"),
        ("Vary", "Accept-Encoding, Origin"),
        ("ETag", "W/\\\"5f3c-2b9a4d7e\\\""),
        ("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload"),
        ("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("X-XSS-Protection", "0"),
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Embedder-Policy", "require-corp"),
        ("Access-Control-Allow-Origin", "https://app.example.com"),
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Expose-Headers", "ETag, Link, X-Request-Id"),
        ("Content-Language", "en"),
        ("Last-Modified", "Tue, 03 Mar 2026 10:15:00 GMT"),
        ("Expires", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ("Pragma", "no-cache"),
        ("Age", "0"),
        ("Via", "1.1 edge-17.example.net"),
        ("X-Cache", "MISS from edge-17"),
        ("X-Served-By", "cache-fra-17, cache-ams-4"),
        ("X-Timer", "S1772532900.123456,VS0,VE12"),
        ("Server-Timing", "db;dur=3.2, app;dur=7.9"),
        ("X-RateLimit-Limit", "5000"),
        ("X-RateLimit-Remaining", "4987"),
        ("X-RateLimit-Reset", "1772536500"),
        ("Link", "<https://api.example.com/items?page=2>; rel=next"),
        ("Alt-Svc", "clear"),
        ("Set-Cookie", "session=4f9c2b7d1e; Path=/; Secure; HttpOnly; SameSite=Lax"),
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("X-Robots-Tag", "noindex"),
    ]
}
