import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import Testing

/// The result of splitting content, independent of the pieces.
struct Splitting<Element: Equatable & Sendable>: Equatable {
    var elements: [Element] = []
    var fault: StreamFault?

    /// Splits the content in one chunk. `isSame` is true if any two chunks, and chunks of one byte, give the same
    /// result.
    static func everyWay(
        _ content: [UInt8], _ split: ([Bytes]) -> Splitting<Element>
    ) -> (whole: Splitting<Element>, isSame: Bool) {
        let whole = split([Bytes(content)])
        let isSame = (0...content.count).allSatisfy { place in
            split([Bytes(content[..<place]), Bytes(content[place...])]) == whole
        }
        return (whole, isSame && split(content.map { [$0] }) == whole)
    }
}

extension Splitting<[UInt8]> {
    static func lines(_ pieces: [Bytes], limit: Int = 1 << 20, window: Int = .max) -> Self {
        var (splitter, result) = (LineSplitter(limit: limit, window: window), Self())
        do throws(StreamFault) {
            for piece in pieces {
                splitter.append(piece)
                repeat {
                    while try splitter.next() { result.elements.append(Array(splitter.bytes)) }
                } while splitter.resume()
            }
            while splitter.finish() { result.elements.append(Array(splitter.bytes)) }
        } catch {
            result.fault = error
        }
        return result
    }

    /// Splits like `lines`, but reads lines that lie within one piece by `forEachWholeLine`.
    static func lentLines(_ pieces: [Bytes], limit: Int = 1 << 20, window: Int = .max) -> Self {
        var (splitter, result) = (LineSplitter(limit: limit, window: window), Self())
        do {
            for piece in pieces {
                splitter.append(piece)
                repeat {
                    while try splitter.next() {
                        result.elements.append(Array(splitter.bytes))
                        try splitter.forEachWholeLine { line in result.elements.append(line.indices.map { line[$0] }) }
                        #expect(splitter.number == result.elements.count)
                    }
                } while splitter.resume()
            }
            while splitter.finish() { result.elements.append(Array(splitter.bytes)) }
        } catch {
            result.fault = error as? StreamFault
        }
        return result
    }

    static func texts(_ pieces: [Bytes], limit: Int = 1 << 20, window: Int = .max) -> Self {
        var (splitter, result) = (JSONTextSplitter(limit: limit, window: window), Self())
        do throws(StreamFault) {
            for piece in pieces {
                splitter.append(piece)
                repeat {
                    while let text = try splitter.next() { result.elements.append(Array(text)) }
                } while splitter.resume()
            }
            while let text = try splitter.finish() { result.elements.append(Array(text)) }
        } catch {
            result.fault = error
        }
        return result
    }
}

extension Splitting<ServerSentEvent> {
    static func events(
        _ pieces: [Bytes], limits: ServerSentEvent.Limits = ServerSentEvent.Limits(), window: Int = .max
    ) -> Self {
        var (parser, result) = (EventStreamParser(limits: limits, window: window), Self())
        do throws(StreamFault) {
            for piece in pieces {
                parser.append(piece)
                repeat {
                    while let event = try parser.next() { result.elements.append(event) }
                } while parser.resume()
            }
        } catch {
            result.fault = error
        }
        return result
    }
}
