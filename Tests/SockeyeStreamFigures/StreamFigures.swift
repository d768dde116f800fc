import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform
import SockeyeStreams
import SockeyeTesting
import Synchronization

/// Prints the speed of reading lines and events, compared to memchr(3) on the same bytes.
///
///     make stream-figures
@main
struct StreamFigures {
    static func main() async throws {
        for length in [20, 80, 250] {
            let content = RepeatedContent(lines: length)
            print("1 GiB in lines of \(length) bytes, from memory in pieces of 256 KiB")
            let memchr = measure("memchr, line by line", content) { countLineFeeds(in: content) }
            try await measureLines(content, beside: memchr)
        }
        try await measureEvents()
        try await measureSockets()
    }

    private static func countLineFeeds(in content: RepeatedContent) -> Int {
        // The last line has no line feed.
        var count = 1
        for _ in 0..<content.repetitions {
            count += unsafe content.chunk.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return 0 }
                var (position, lines) = (0, 0)
                while let end = unsafe SystemMemory.offset(of: 0x0A, in: base, from: position, to: bytes.count) {
                    (position, lines) = (end + 1, lines + 1)
                }
                return lines
            }
        }
        return count
    }

    private static func measureLines(_ content: RepeatedContent, beside memchr: Double) async throws {
        try await measure("forEachLine", content, beside: memchr) { body in
            var count = 0
            try await body.forEachLine { _ in count += 1 }
            return count
        }
        try await measure("byteLines", content, beside: memchr) { body in
            var count = 0
            for try await _ in body.byteLines { count += 1 }
            return count
        }
        try await measure("lines (a String each)", content, beside: memchr) { body in
            var count = 0
            for try await _ in body.lines { count += 1 }
            return count
        }
    }

    private static func measureEvents() async throws {
        let content = RepeatedContent(events: 100)
        print("1 GiB in events of 100 bytes with ID, type and JSON, from memory in pieces of 256 KiB")
        _ = try measure("the parser", content) {
            var (parser, count) = (EventStreamParser(), 0)
            for _ in 0..<content.repetitions {
                parser.append(content.chunk)
                while try parser.next() != nil { count += 1 }
            }
            return count
        }
        try await measure("response.body.events", content, beside: nil) { body in
            var count = 0
            for try await _ in body.events { count += 1 }
            return count
        }
    }

    /// Measures over loopback, with a server in this process. The figures therefore include the server's work.
    private static func measureSockets() async throws {
        let (lines, events) = (RepeatedContent(lines: 80), RepeatedContent(events: 100))
        try await withTestServer { request, responder in
            try await responder.sendHead(headers: [.contentType: "text/event-stream"])
            let content = request.path == "/lines" ? lines : events
            for _ in 0..<content.repetitions { try await responder.write(content.chunk) }
            try await responder.finish()
        } run: { server in
            let client = HTTPClient()
            print("the same over loopback, with the server in this process")
            try await measure("lines of 80 bytes: forEachLine", lines, beside: nil) { _ in
                var count = 0
                try await client.get(server.url("/lines")).body.forEachLine { _ in count += 1 }
                return count
            }
            try await measure("lines of 80 bytes: lines", lines, beside: nil) { _ in
                var count = 0
                for try await _ in try await client.get(server.url("/lines")).body.lines { count += 1 }
                return count
            }
            try await measure("events of 100 bytes: client.events", events, beside: nil) { _ in
                var (count, settings) = (0, HTTPClient.EventStream.Options())
                settings.reconnects = false
                for try await _ in client.events(server.url("/events"), options: .eventStream(settings)) { count += 1 }
                return count
            }
        }
    }

    // MARK: Measuring

    private static func measure(
        _ name: String, _ content: RepeatedContent, _ count: () throws -> Int
    ) rethrows -> Double {
        let (clock, expected) = (ContinuousClock(), content.count)
        let start = clock.now
        let seen = try count()
        return report(name, clock.now - start, seen, expected, beside: nil)
    }

    private static func measure(
        _ name: String, _ content: RepeatedContent, beside memchr: Double?,
        _ count: (IncomingResponse.Body) async throws -> Int
    ) async throws {
        let (clock, expected, body) = (ContinuousClock(), content.count, content.body())
        let start = clock.now
        let seen = try await count(body)
        _ = report(name, clock.now - start, seen, expected, beside: memchr)
    }

    private static func report(
        _ name: String, _ duration: Duration, _ seen: Int, _ expected: Int, beside memchr: Double?
    ) -> Double {
        precondition(seen == expected, "\(name): \(seen) of \(expected)")
        let seconds = duration / .seconds(1)
        let millions = rounded(Double(seen) / seconds / 1e6)
        let ratio = memchr.map { ", \(rounded($0 / seconds)) of memchr's speed" } ?? ""
        print("  \(name): \(rounded(seconds)) s, \(rounded(1 / seconds)) GiB/s, \(millions) million a second\(ratio)")
        return seconds
    }

    private static func rounded(_ figure: Double) -> Double { (figure * 100).rounded() / 100 }
}

/// A gigabyte of content that repeats one chunk, whose last line or event continues in the next chunk.
struct RepeatedContent: Sendable {
    let chunk: Bytes
    let repetitions = 4096
    /// The number of lines or events.
    let count: Int

    private static let chunkSize = 256 << 10

    init(lines length: Int) {
        self.init(unit: [UInt8](repeating: 0x78, count: length - 1) + [0x0A])
    }

    init(events length: Int) {
        let start = "id: 1234567\nevent: tick\ndata: {\"price\":12.25,\"text\":\""
        let fill = String(repeating: "x", count: length - start.utf8.count - 4)
        self.init(unit: Array((start + fill + "\"}\n\n").utf8))
    }

    /// Makes content with a whole number of units in total, but not in each chunk.
    private init(unit: [UInt8]) {
        var bytes: [UInt8] = []
        while bytes.count < Self.chunkSize - unit.count { bytes += unit }
        // A rotation: the chunk begins in the middle of a unit, and ends where it begins.
        let cut = unit.count / 2
        chunk = Bytes(bytes[cut...] + bytes[..<cut])
        // The partial units at both ends count as lines, but not as events.
        count = bytes.count / unit.count * repetitions + (unit.suffix(2) == [0x0A, 0x0A] ? -1 : 1)
    }

    func body() -> IncomingResponse.Body {
        let source = RepeatedChunks(chunk: chunk, count: repetitions)
        return IncomingResponse.Body(
            ResponseStorage(
                status: 200, fields: [:], reason: "", request: nil,
                body: BodyContent(source: source, expectedLength: nil)))
    }
}

/// The body source of repeated content.
final class RepeatedChunks: BodySource {
    private let chunk: Bytes
    private let rest: Mutex<Int>

    init(chunk: Bytes, count: Int) {
        self.chunk = chunk
        rest = Mutex(count)
    }

    var trailers: Headers? { nil }

    func next() async throws(SockeyeError) -> Bytes? {
        let isOver = rest.withLock { rest in
            defer { rest -= 1 }
            return rest <= 0
        }
        return isOver ? nil : chunk
    }
}
