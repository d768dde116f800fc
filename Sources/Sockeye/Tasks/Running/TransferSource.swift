import HTTPTypes
import SockeyeCore

/// The content of a response on its way to a task: held up while that is paused, and counted.
final class TransferSource: BodySource {
    private let upstream: any BodySource
    private let control: TransferControl

    init(_ upstream: any BodySource, _ control: TransferControl) {
        self.upstream = upstream
        self.control = control
    }

    var trailers: HTTPFields? { upstream.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        try await control.gate.pass(.body)
        let piece = try await upstream.next()
        if let piece { control.download.add(piece.count) }
        return piece
    }
}
