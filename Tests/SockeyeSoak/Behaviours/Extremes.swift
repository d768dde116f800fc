import SockeyeCore

extension Behaviours {
    /// Numbers at the limits of the types for lengths and times, in every field and frame that contains one.
    static let extremes: [Behaviour] = [
        // No body is that long, so the answer is either refused or cut short.
        extreme("extreme length", .failure) { number in
            Bytes(ok + "Content-Length: \(number)\r\nX-Body: follows\r\n\r\nabc")
        },
        extreme("extreme chunk", .failure) { number in
            Bytes(chunked + (UInt64(number).map { String($0, radix: 16) } ?? number) + "\r\nabc")
        },
        extreme("extreme part", .either, shape: .download) { number in
            Bytes("HTTP/1.1 206 Partial\r\nContent-Range: bytes \(number)-\(number)/\(number)\r\n\r\n")
        },
        fields("extreme age") { "Age: \($0)\r\nCache-Control: max-age=\($0), stale-if-error=\($0)\r\n" },
        fields("extreme keep-alive") { "Keep-Alive: timeout=\($0), max=\($0)\r\n" },
        fields("extreme pause") { "Retry-After: \($0)\r\n" },
        fields("extreme dates") { number in
            let date = "Thu, 01 Jan \(number) 00:00:00 GMT"
            return
                "Date: \(date)\r\nExpires: \(date)\r\nLast-Modified: \(date)\r\nSet-Cookie: a=b; Max-Age=\(number)\r\n"
        },
    ]

    /// Includes numbers with signs, without digits, and beyond 64 bits.
    private static let numbers: [String] =
        ([1 << 31, 1 << 32, 1 << 53, 1 << 62, 1 << 63] as [UInt64]).flatMap { ["\($0 - 1)", "\($0)", "\($0 + 1)"] } + [
            "\(UInt64(1) << 63 - 65)", "\(UInt64(1) << 63 - 64)", "\(UInt64.max)", "18446744073709551616", "-1", "",
            "9223372036854775807, 9223372036854775807", String(repeating: "9", count: 40),
        ]

    private static func extreme(
        _ name: String, _ expected: Behaviour.Outcome, shape: Behaviour.Shape = .get,
        _ bytes: @escaping @Sendable (String) -> Bytes
    ) -> Behaviour {
        .ends(name, expected, shape: shape) { request in bytes(numbers[request.chance(below: numbers.count)]) }
    }

    /// Returns a behaviour with the number in fields that do not frame the content, so that the content arrives.
    private static func fields(_ name: String, _ fields: @escaping @Sendable (String) -> String) -> Behaviour {
        Behaviour(name, .content) { request, peer in
            let fields = fields(numbers[request.chance(below: numbers.count)])
            try await peer.write(length(request) + fields + "\r\n", request.content)
            return true
        }
    }
}
