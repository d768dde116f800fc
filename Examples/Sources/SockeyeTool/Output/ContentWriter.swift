import Sockeye
import SockeyeToolKit

/// Writes content to standard output. On a terminal, control sequences are escaped unless the user wants them.
struct ContentWriter {
    private let escapes: Bool
    private var filter = TerminalFilter()
    /// The last byte of the content.
    private(set) var last: UInt8?

    /// - Parameter isRaw: True to write control sequences as they are.
    init(isRaw: Bool) {
        escapes = Terminal.output.isInteractive && !isRaw
    }

    mutating func write(_ piece: Bytes) throws {
        last = piece.last ?? last
        try Terminal.output.write(escapes ? filter.escaping(piece) : piece)
    }

    /// Writes an incomplete sequence at the end.
    mutating func finish() throws {
        if escapes { try Terminal.output.write(filter.finish()) }
    }
}
