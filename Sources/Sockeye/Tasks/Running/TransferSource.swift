import HTTPTypes
import SockeyeCore
import SockeyeEngine

/// The content of a response on its way to a task: held up while that is paused, and counted.
final class TransferSource: BodySource {
    private let upstream: any BodySource
    private let gate: TransferGate
    private let board: ProgressBoard?

    init(_ upstream: any BodySource, _ gate: TransferGate, counting board: ProgressBoard? = nil) {
        self.upstream = upstream
        self.gate = gate
        self.board = board
    }

    var trailers: HTTPFields? { upstream.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        try await gate.pass(.body)
        let piece = try await upstream.next()
        if let piece { board?.add(piece.count) }
        return piece
    }
}
