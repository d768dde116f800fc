import Sockeye

/// A response as one JSON object, for programs.
package struct ResponseRecord: Sendable {
    package var method: String
    package var url: String
    package var status: Int
    package var reason: String
    package var minorVersion: Int
    package var fields: [(name: String, value: String)]
    package var body: Bytes
    /// The exchanges before the last one: the URL and the status, which is nil if there was no response.
    package var history: [(url: String, status: Int?)] = []
    package var timeline: CallTimeline?

    package init(
        method: String, url: String, status: Int, reason: String = "", minorVersion: Int = 1,
        fields: [(name: String, value: String)] = [], body: Bytes = Bytes()
    ) {
        self.method = method
        self.url = url
        self.status = status
        self.reason = reason
        self.minorVersion = minorVersion
        self.fields = fields
        self.body = body
    }

    /// The JSON object. Fields are pairs, because names may repeat. Content that is JSON is a JSON value, other UTF-8
    /// content is a string, and the rest is in Base64; the member `encoding` names the form.
    package var json: JSONValue {
        let (encoding, content) = encodedBody
        let history = history.map { entry -> JSONValue in
            ["url": .string(entry.url), "status": entry.status.map { JSONValue($0) } ?? .null]
        }
        var members: [(String, JSONValue)] = [
            ("method", .string(method)), ("url", .string(url)), ("status", JSONValue(status)),
            ("reason", .string(reason)), ("version", .string("HTTP/1.\(minorVersion)")),
            ("headers", .array(fields.map { [.string($0.name), .string($0.value)] })),
            ("encoding", .string(encoding)), ("body", content), ("history", .array(history)),
        ]
        if let timeline { members.append(("timing", timeline.json)) }
        return .object(JSONValue.Object(members))
    }

    private var encodedBody: (String, JSONValue) {
        let type = fields.first { $0.name.lowercased() == "content-type" }.flatMap { InternetMediaType($0.value) }
        let form = Presentation(isIndented: true, isColored: false).form(ofType: type?.type, subtype: type?.subtype)
        if form == .json, let value = try? JSONValue(parsing: body) { return ("json", value) }
        if let text = String(validating: body, as: UTF8.self) { return ("text", .string(text)) }
        return ("base64", .string(Self.base64(body)))
    }

    /// Encodes bytes in Base64 (RFC 4648 4).
    static func base64(_ bytes: Bytes) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bytes = Array(bytes)
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(group) + [UInt8](repeating: 0, count: 3 - group.count)
            let bits = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
            for index in 0..<4 {
                let isPadding = index > group.count
                output.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
