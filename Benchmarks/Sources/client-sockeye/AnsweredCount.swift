import BenchmarkKit
import Sockeye

/// A serializer that returns the number of received bytes in the server's answer.
struct AnsweredCount: ResponseSerializer {
    func value(of response: IncomingResponse) async throws -> Int {
        WrongAnswer.received(try await response.body.collect(upTo: 1024))
    }
}
