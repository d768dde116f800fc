import BenchmarkKit
import Sockeye

/// The number of bytes that the server says it received.
struct AnsweredCount: ResponseSerializer {
    func value(of response: IncomingResponse) async throws -> Int {
        WrongAnswer.received(try await response.body.collect(upTo: 1024))
    }
}
