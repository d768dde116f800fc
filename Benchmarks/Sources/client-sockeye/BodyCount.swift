import Sockeye

/// A serializer that counts the bytes of a body without keeping them.
struct BodyCount: ResponseSerializer {
    func value(of response: IncomingResponse) async throws -> Int {
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        return count
    }
}
