import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import Testing

/// Splitters pause after a window of input, so that their readers let other tasks run.
@Suite("Splitters that pause after a window of input") struct SplitterWindowTests {
    @Test("a window changes neither elements nor faults", arguments: [1, 2, 3, 5, 8, 4096])
    func sameResult(window: Int) {
        let contents: [[String]] = [
            ["a\nbc\r\n\n\r\n", "def\n ", "\ng"], ["\r\r\n", "\n\rab", "c\r", "\n"], ["abcdefghi\n"],
            ["\n\n\n\n\n\n\n"],
            ["\u{FEFF}:c\ndata:a\rda", "ta:b\r\n\r", "\n:\n:\nid:1\ndata\n\ndata:c"],
            ["1\n \n\n\t\r\n[2]\n", "{}", "\n3"], ["\u{1E}1\n\n \u{1E}\u{1E}[2,", "3]\n   \u{1E}true\n"],
            ["\u{1E}1\nx"],
        ]
        for content in contents {
            let pieces = content.map { Bytes($0) }
            #expect(Splitting<[UInt8]>.lines(pieces, window: window) == Splitting<[UInt8]>.lines(pieces))
            #expect(Splitting<[UInt8]>.lentLines(pieces, window: window) == Splitting<[UInt8]>.lines(pieces))
            #expect(
                Splitting<[UInt8]>.lines(pieces, limit: 4, window: window) == Splitting<[UInt8]>.lines(pieces, limit: 4)
            )
            #expect(Splitting<[UInt8]>.texts(pieces, window: window) == Splitting<[UInt8]>.texts(pieces))
            #expect(
                Splitting<ServerSentEvent>.events(pieces, window: window) == Splitting<ServerSentEvent>.events(pieces))
        }
    }

    @Test("`next()` ends after a window of comments or blank lines, and the number of lines is reported")
    func pauses() throws {
        var parser = EventStreamParser(window: 100)
        parser.append(Bytes(String(repeating: ":\n", count: 120)))
        var counts: [Int] = []
        repeat {
            #expect(try parser.next() == nil)
            counts.append(parser.lineCount)
        } while parser.resume()
        #expect(counts == [50, 100, 120])

        var splitter = JSONTextSplitter(limit: 100, window: 100)
        splitter.append(Bytes(String(repeating: " \n", count: 120)))
        counts = []
        repeat {
            #expect(try splitter.next() == nil)
            counts.append(splitter.takeCost())
        } while splitter.resume()
        #expect(counts == [50 * 64, 50 * 64, 20 * 64])
    }

    @Test("`next()` ends after a window of blanks in a sequence, and the bytes are counted")
    func sequencePauses() throws {
        var splitter = JSONTextSplitter(limit: 100, window: 100)
        splitter.append(Bytes("\u{1E}" + String(repeating: " ", count: 249)))
        var counts: [Int] = []
        repeat {
            #expect(try splitter.next() == nil)
            counts.append(splitter.takeCost())
        } while splitter.resume()
        #expect(counts == [800, 800, 400])
    }
}
