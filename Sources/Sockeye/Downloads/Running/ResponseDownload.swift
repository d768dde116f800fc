import SockeyeEngine
import SockeyeHTTP

/// Writes the content of a response that is here already into a file. Nothing is asked for again: what breaks off ends with
/// what it takes to go on.
struct ResponseDownload {
    private let response: IncomingResponse
    private var transfer: DownloadTransfer

    init(_ response: IncomingResponse, _ settings: DownloadSettings) {
        self.response = response
        // What else was in the request nobody knows here; with a Range of the caller's own the answer tells (206).
        let mayUseRanges = MethodKind(response.request.method) == .get
        let rules = ResumeMachine.Rules(mayRepeat: false, mayUseRanges: mayUseRanges, maximumResumes: 0)
        transfer = DownloadTransfer(response.request, rules, settings)
    }

    mutating func run() async throws(SockeyeError) -> DownloadedFile {
        do throws(SockeyeError) {
            try await receive()
            return try await transfer.finish(interruptions: 0)
        } catch {
            // Unless it is somebody else who reads.
            if error.code != .bodyConsumed { response.discard() }
            throw await transfer.end(with: error)
        }
    }

    private mutating func receive() async throws(SockeyeError) {
        switch transfer.machine.receive(response.partialAnswer) {
        case .startOver:
            switch try await transfer.receive(response, startingOver: true) {
            case .complete: return
            case .partial: throw response.lengthMismatch
            case .brokenOff(let error): throw error
            }
        case .refuse(let fault): throw await transfer.refusal(of: response, fault)
        // Nothing but the whole was asked for.
        case .append, .complete, .askForWhole, .askLater: throw await transfer.refusal(of: response, .status)
        }
    }
}
