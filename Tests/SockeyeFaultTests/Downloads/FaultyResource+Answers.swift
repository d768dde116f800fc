import Sockeye
import SockeyeCore
import SockeyeTesting

extension FaultyResource.Answer {
    /// A way in which a connection ends.
    enum End: String, CaseIterable, Sendable {
        case close, reset
    }

    /// The answer that RFC 9110 requires, for version 1.
    static let honest = sending(upTo: .max)

    /// Like `honest`, but closes or resets the connection after `count` bytes.
    static func cut(after count: Int, _ end: End = .close) -> Self {
        sending(upTo: count) { responder in
            if end == .close { responder.closeWithoutNotify() } else { responder.reset() }
        }
    }

    /// Like `honest`, but sends nothing more after `count` bytes.
    static func stalling(after count: Int) -> Self {
        sending(upTo: count) { try await $0.waitForDisconnect() }
    }

    private static func sending(
        upTo count: Int, then end: @escaping @Sendable (TestResponder) async throws -> Void = { _ in }
    ) -> Self {
        Self { request, resource, responder in
            let total = resource.body.count
            let from = request.ifRange == "\"v1\"" ? request.from ?? 0 : 0
            var headers: Headers = [.eTag: "\"v1\""]
            if from > 0 { headers[.contentRange] = "bytes \(from)-\(total - 1)/\(total)" }
            try await responder.sendHead(from > 0 ? .partialContent : .ok, headers: headers, length: total - from)
            let sent = resource.body.slice(from..<min(total, count > total - from ? total : from + count))
            try await responder.write(sent)
            if sent.count < total - from { try await end(responder) } else { try await responder.finish() }
        }
    }

    /// The whole of version 1, or the requested part of it.
    static let servingParts = Self { request, resource, responder in
        let total = resource.body.count
        let isPart = request.ifRange == "\"v1\"" && request.from != nil
        let range = isPart ? (request.from ?? 0)..<(request.through ?? total - 1) + 1 : 0..<total
        var headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
        if isPart { headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)" }
        try await responder.sendHead(isPart ? .partialContent : .ok, headers: headers, length: range.count)
        try await responder.write(resource.body.slice(range))
        try await responder.finish()
    }

    /// A fixed response, whatever was requested.
    static func fixed(_ response: TestServerResponse) -> Self {
        Self { _, _, responder in try await responder.send(response) }
    }

    /// Fixed bytes, after which the connection ends.
    static func raw(_ text: String, _ body: Bytes = Bytes(), _ end: End = .close) -> Self {
        Self { _, _, responder in
            try await responder.sendRaw(text)
            try await responder.sendRaw(body)
            if end == .reset { responder.reset() }
        }
    }

    /// Fixed bytes, after which a closure runs.
    static func raw(_ text: String, then end: @escaping @Sendable (TestResponder) async throws -> Void) -> Self {
        Self { _, _, responder in
            try await responder.sendRaw(text)
            try await end(responder)
        }
    }

    /// A wrong answer to a request for a part. It starts `shift` bytes away from the requested position, as its
    /// Content-Range states, or has false fields, or ends with `extra` surplus bytes.
    static func part(
        shift: Int = 0, total: Int? = nil, eTag: String = "\"v1\"", type: String = "application/octet-stream",
        range: String? = nil, extra: Int = 0
    ) -> Self {
        Self { request, resource, responder in
            guard let from = request.from else { return try await responder.send(.bytes(resource.body)) }
            let start = from + shift
            let end = resource.body.count
            let headers: Headers = [
                .contentRange: range ?? "bytes \(start)-\(end - 1)/\(total ?? end)", .eTag: eTag, .contentType: type,
            ]
            // Chunked if a Content-Length would reveal the extra bytes.
            try await responder.sendHead(.partialContent, headers: headers, length: extra > 0 ? nil : end - start)
            try await responder.write(resource.body.slice(start..<end))
            if extra > 0 { try await responder.write(Bytes([UInt8](repeating: 0, count: extra))) }
            try await responder.finish()
        }
    }
}
