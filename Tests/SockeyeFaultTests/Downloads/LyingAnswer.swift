import Sockeye
import SockeyeCore
import SockeyeTesting

/// An answer to a request for a part, or the rest, of a resource. Each of its fields may be false.
struct LyingAnswer: Sendable, CustomStringConvertible {
    enum Version: String, CaseIterable, Sendable {
        case same, other, weak, twice, unreadable, none
    }

    enum Content: String, CaseIterable, Sendable {
        case requested, whole, shorter, longer, none
    }

    enum Length: String, CaseIterable, Sendable {
        case right, less, more, chunked, untilClose
    }

    var status = 206
    /// The deviations of first position, last position and total from the truth; nil omits Content-Range.
    var range: (first: Int, last: Int, total: Int?)? = (0, 0, 0)
    var version = Version.same
    var content = Content.requested
    var length = Length.right
    var isCoded = false

    static func random(_ random: inout Seeded) -> LyingAnswer {
        func shift() -> Int { [0, 0, 0, 0, -1, 1, -5, 1 << 62].randomElement(using: &random) ?? 0 }
        var answer = LyingAnswer()
        answer.status = [206, 206, 200, 200, 200, 201, 203, 204, 226, 416].randomElement(using: &random) ?? 206
        if Int.random(in: 0..<3, using: &random) == 0 {
            answer.range = nil
        } else {
            answer.range = (shift(), shift(), Bool.random(using: &random) ? shift() : nil)
        }
        answer.version = Version.allCases.randomElement(using: &random) ?? .same
        answer.content = Content.allCases.randomElement(using: &random) ?? .requested
        answer.length = Length.allCases.randomElement(using: &random) ?? .right
        answer.isCoded = Int.random(in: 0..<8, using: &random) == 0
        return answer
    }

    var description: String {
        let place = range.map { "\($0.first) \($0.last) \($0.total.map(String.init) ?? "*")" } ?? "no range"
        return "\(status), \(place), \(version), \(content), \(length)\(isCoded ? ", coded" : "")"
    }

    /// Returns the content after the head, before framing.
    func body(_ resource: Bytes, _ requested: Range<Int>) -> Bytes {
        switch content {
        case .requested: resource.slice(requested)
        case .whole: resource
        case .shorter: resource.slice(requested.lowerBound..<requested.upperBound - requested.count / 2 - 1)
        case .longer: Bytes(Array(resource.slice(requested)) + [0, 0, 0])
        case .none: Bytes()
        }
    }

    /// True if a client may take the body for the complete content of another version, because nothing contradicts it.
    var isOtherVersion: Bool {
        (status == 200 || status == 203) && version != .same && !isCoded && range == nil
            && (content != .requested || length != .right)
    }

    func answer(by dates: Bool = false) -> FaultyResource.Answer {
        FaultyResource.Answer { request, resource, responder in
            let end = request.through.map { $0 + 1 } ?? resource.body.count
            let range = (request.from ?? 0)..<end
            try await responder.sendRaw(head(resource.body, range, by: dates))
            let body = body(resource.body, range)
            if length == .chunked, !body.isEmpty {
                try await responder.sendRaw(String(body.count, radix: 16) + "\r\n")
                try await responder.sendRaw(body)
                try await responder.sendRaw("\r\n")
            } else {
                try await responder.sendRaw(body)
            }
            if length == .chunked { try await responder.sendRaw("0\r\n\r\n") }
        }
    }

    private func head(_ resource: Bytes, _ requested: Range<Int>, by dates: Bool) -> String {
        var lines = ["HTTP/1.1 \(status) Whatever", "Connection: close"]
        if let range {
            let total = range.total.map { "\(max(0, resource.count &+ $0))" } ?? "*"
            let (first, last) = (requested.lowerBound &+ range.first, requested.upperBound - 1 &+ range.last)
            lines.append("Content-Range: " + (status == 416 ? "bytes */\(total)" : "bytes \(first)-\(last)/\(total)"))
        }
        lines += dates ? Self.dates(version) : Self.tags(version)
        if isCoded { lines.append("Content-Encoding: gzip") }
        let count = body(resource, requested).count
        switch length {
        case .right: lines.append("Content-Length: \(count)")
        case .less: lines.append("Content-Length: \(max(0, count - 1))")
        case .more: lines.append("Content-Length: \(count + 1)")
        case .chunked: lines.append("Transfer-Encoding: chunked")
        case .untilClose: break
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func tags(_ version: Version) -> [String] {
        switch version {
        case .same: ["ETag: \"v1\""]
        case .other: ["ETag: \"v2\""]
        case .weak: ["ETag: W/\"v1\""]
        case .twice: ["ETag: \"v1\"", "ETag: \"v2\""]
        case .unreadable: ["ETag: v1"]
        case .none: []
        }
    }

    /// The time of the honest version's last change, and the time of the response.
    static let (change, now) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:37 GMT")

    private static func dates(_ version: Version) -> [String] {
        let fields =
            switch version {
            case .same: ["Last-Modified: \(change)"]
            case .other: ["Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT"]
            case .weak: ["Last-Modified: \(now)"]
            case .twice: ["Last-Modified: \(change)", "Last-Modified: \(now)"]
            case .unreadable: ["Last-Modified: yesterday"]
            case .none: [String]()
            }
        return ["Date: \(now)"] + fields
    }
}
