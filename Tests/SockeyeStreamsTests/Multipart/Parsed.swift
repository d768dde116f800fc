import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeStreams

/// The result of parsing a body, independent of the pieces in which it arrived.
struct Parsed: Equatable, CustomStringConvertible {
    struct Part: Equatable {
        var fields: [String]
        var content: [UInt8] = []
        var isComplete = false

        var text: String { String(decoding: content, as: UTF8.self) }
    }

    var parts: [Part] = []
    var isFinished = false
    var fault: MultipartFault?

    var texts: [String] { parts.map(\.text) }

    init(_ pieces: [Bytes], boundary: String = "b", limits: MultipartLimits = MultipartLimits()) {
        guard let boundary = MultipartBoundary(received: boundary) else { return }
        var parser = MultipartParser(boundary: boundary, limits: limits)
        do throws(MultipartFault) {
            for piece in pieces where !isFinished {
                parser.append(piece)
                try drain(&parser)
            }
            guard !isFinished else { return }
            parser.end()
            try drain(&parser)
        } catch {
            fault = error
        }
    }

    private mutating func drain(_ parser: inout MultipartParser) throws(MultipartFault) {
        while true {
            switch try parser.next() {
            case .needMore: return
            case .part(let fields): parts.append(Part(fields: fields.map { "\($0.name.description)=\($0.value)" }))
            case .data(let bytes): parts[parts.count - 1].content += bytes
            case .endOfPart: parts[parts.count - 1].isComplete = true
            case .finished:
                isFinished = true
                return
            }
        }
    }

    /// Parses the body whole, byte by byte and cut in two anywhere. `isSame` is true if all results are equal.
    static func everyWay(
        _ text: String, boundary: String = "b", limits: MultipartLimits = MultipartLimits()
    ) -> (whole: Parsed, isSame: Bool) {
        let bytes = Bytes(text)
        let whole = Parsed([bytes], boundary: boundary, limits: limits)
        let single = Parsed((0..<bytes.count).map { bytes.slice($0..<$0 + 1) }, boundary: boundary, limits: limits)
        let halves = (0...bytes.count).map { cut in
            Parsed([bytes.slice(0..<cut), bytes.slice(cut..<bytes.count)], boundary: boundary, limits: limits)
        }
        return (whole, whole == single && halves.allSatisfy { $0 == whole })
    }

    var description: String { "\(parts.map { ($0.fields, $0.text, $0.isComplete) }) \(isFinished) \(fault as Any)" }
}
