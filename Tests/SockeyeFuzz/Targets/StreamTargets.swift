import SockeyeCore
import SockeyeHTTP
import SockeyeStreams

/// Reads content as lines, JSON texts and events. The result must not depend on how the content is cut, and must
/// respect the limits.
enum StreamTargets {
    static let lines: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let limit = [1 << 20, 7][input.choice(below: 2)]
        let pieces = input.pieces()
        let whole = lines(in: [input.bytes[...]], limit: limit)
        require(whole == lines(in: pieces, limit: limit), "lines depend on how the bytes are cut")
        require(
            whole.elements.allSatisfy { $0.count <= limit && !$0.contains(0x0A) },
            "a line beyond the limit or with a line feed")
        guard whole.fault == nil else { return }
        let joined = Array(whole.elements.joined(separator: [0x0A]))
        var expected: [UInt8] = []
        for byte in input.bytes {
            if byte == 0x0A, expected.last == 0x0D { expected.removeLast() }
            expected.append(byte)
        }
        while expected.last == 0x0A, expected.count > joined.count { expected.removeLast() }
        if expected.last == 0x0D, expected.count > joined.count { expected.removeLast() }
        require(joined == expected, "bytes are lost")
    }

    static let jsonLines: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let limit = [1 << 20, 7][input.choice(below: 2)]
        let pieces = input.pieces()
        let whole = texts(in: [input.bytes[...]], limit: limit)
        require(whole == texts(in: pieces, limit: limit), "texts depend on how the bytes are cut")
        require(whole.elements.allSatisfy { !$0.isEmpty && $0.count <= limit }, "an empty text or one beyond the limit")
        require(whole.elements.reduce(0) { $0 + $1.count } <= bytes.count, "more texts than bytes")
    }

    static let events: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let isLimited = input.flag()
        let limits =
            isLimited ? ServerSentEvent.Limits(lineBytes: 20, eventBytes: 40, idBytes: 3) : ServerSentEvent.Limits()
        let pieces = input.pieces()
        let whole = read([input.bytes[...]], limits)
        require(whole == read(pieces, limits), "events depend on how the bytes are cut")
        for event in whole.elements {
            require(!event.name.isEmpty && !event.id.utf8.contains(0), "an event without a name, or a NUL in its ID")
        }
        if !isLimited {
            require(whole == reference(input.bytes), "\(whole.elements) differ from the standard's algorithm")
        }
    }

    private struct Outcome<Element: Equatable>: Equatable {
        var elements: [Element] = []
        var fault: StreamFault?
        var lastEventID = ""
        var retry: Duration?
    }

    private static func lines(in pieces: [ArraySlice<UInt8>], limit: Int) -> Outcome<[UInt8]> {
        var (splitter, outcome) = (LineSplitter(limit: limit), Outcome<[UInt8]>())
        do throws(StreamFault) {
            for piece in pieces {
                splitter.append(Bytes(piece))
                while try splitter.next() { outcome.elements.append(Array(splitter.bytes)) }
            }
            while splitter.finish() { outcome.elements.append(Array(splitter.bytes)) }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    private static func texts(in pieces: [ArraySlice<UInt8>], limit: Int) -> Outcome<[UInt8]> {
        var (splitter, outcome) = (JSONTextSplitter(limit: limit), Outcome<[UInt8]>())
        do throws(StreamFault) {
            for piece in pieces {
                splitter.append(Bytes(piece))
                while let text = try splitter.next() { outcome.elements.append(Array(text)) }
            }
            while let text = try splitter.finish() { outcome.elements.append(Array(text)) }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>], _ limits: ServerSentEvent.Limits
    ) -> Outcome<ServerSentEvent> {
        var (parser, outcome) = (EventStreamParser(limits: limits), Outcome<ServerSentEvent>())
        do throws(StreamFault) {
            for piece in pieces {
                parser.append(Bytes(piece))
                while let event = try parser.next() { outcome.elements.append(event) }
            }
        } catch {
            outcome.fault = error
            return outcome
        }
        (outcome.lastEventID, outcome.retry) = (parser.lastEventID, parser.retry)
        return outcome
    }
}

// MARK: Reference implementation of the standard's algorithm: decodes all bytes first, then parses whole lines

extension StreamTargets {
    private static func reference(_ bytes: [UInt8]) -> Outcome<ServerSentEvent> {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scalars.removeFirst() }
        var (outcome, event) = (Outcome<ServerSentEvent>(), ServerSentEvent(name: "", data: ""))
        var data: [String] = []
        for line in lines(of: scalars) {
            guard !line.isEmpty else {
                outcome.lastEventID = event.id
                if !data.isEmpty {
                    event.data = data.joined(separator: "\n")
                    if event.name.isEmpty { event.name = "message" }
                    outcome.elements.append(event)
                }
                event = ServerSentEvent(name: "", data: "", id: outcome.lastEventID)
                data = []
                continue
            }
            let colon = line.firstIndex(of: ":") ?? line.count
            var value = line.dropFirst(colon + 1)
            if value.first == " " { value.removeFirst() }
            let text = String(String.UnicodeScalarView(value))
            switch String(String.UnicodeScalarView(line[..<colon])) {
            case "data": data.append(text)
            case "event": event.name = text
            case "id": if !value.contains("\0") { event.id = text }
            case "retry":
                guard !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) else { break }
                event.retry = .milliseconds(min(Int64(text) ?? .max, 1_000_000_000_000_000))
                outcome.retry = event.retry
            default: break
            }
        }
        return outcome
    }

    /// Returns the complete lines.
    private static func lines(of scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var (lines, line): ([[Unicode.Scalar]], [Unicode.Scalar]) = ([], [])
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "\n" where index > 0 && scalars[index - 1] == "\r": break
            case "\n", "\r":
                lines.append(line)
                line = []
            default: line.append(scalar)
            }
        }
        return lines
    }
}
