/// Returns the error that `body` throws; nil if it throws none.
func failure<Value>(_ body: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
