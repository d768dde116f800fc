import Foundation
import Testing

/// The entries of Apache's log about the requests of one test.
struct ApacheLog: Sendable {
    struct Entry: Sendable {
        let status: Int
        let method: String
        /// The index of the request on its connection, counted from 0.
        let number: Int
        /// The nonce and the count in the client's Authorization field; nil without one.
        let nonce: String?
        let count: Int?
    }

    /// A mark for the requests of one test. It is part of the query, with characters that Digest must handle correctly.
    let mark = "mark=\(UUID().uuidString)&text=%22a%20b%2C%5C"
    let server: ApacheServer

    /// Returns the entries once there are `wanted` of them, because the log is written after the response was sent.
    /// They are in the order in which Apache finished the requests.
    func entries(
        _ wanted: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [Entry] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        while true {
            let entries = try read()
            if entries.count >= wanted || clock.now > end {
                #expect(entries.count == wanted, "requests in the log", sourceLocation: sourceLocation)
                return entries
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func read() throws -> [Entry] {
        let text = try String(contentsOfFile: server.folder + "/access.log", encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            // A line that is being written lacks some of its fields.
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5, fields[2] == "?" + mark else { return nil }
            return Entry(
                status: Int(fields[0]) ?? 0, method: fields[1], number: Int(fields[3]) ?? 0,
                nonce: Self.value(of: "nonce=\\\"", upTo: "\\\"", in: fields[4]),
                count: Self.value(of: " nc=", upTo: ",", in: fields[4]).flatMap { Int($0, radix: 16) })
        }
    }

    private static func value(of name: String, upTo end: String, in text: String) -> String? {
        guard let start = text.range(of: name)?.upperBound,
            let stop = text.range(of: end, range: start..<text.endIndex)?.lowerBound
        else { return nil }
        return String(text[start..<stop])
    }
}
