import Sockeye

/// How many bytes a body has, of which none is kept.
struct BodyCount: ResponseSerializer {
    func value(of response: IncomingResponse) async throws -> Int {
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        return count
    }
}
