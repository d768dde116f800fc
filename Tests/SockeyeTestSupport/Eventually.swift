package import Testing

/// Polls every millisecond until a condition holds, and records an issue if it does not within the limit. For effects
/// of other tasks that cannot be awaited otherwise.
package func eventually(
    _ what: String, within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async -> Bool
) async {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while await !condition() {
        guard clock.now < end else {
            Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
            return
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// Returns the value at which a count has settled: above zero and unchanged for 100 polls, 1 ms apart. A count
/// that stays the same shows that backpressure stops a producer, which cannot be awaited otherwise.
package func settled(_ count: () -> Int) async -> Int {
    var (last, unchanged) = (0, 0)
    while unchanged < 100, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(1))
        let current = count()
        unchanged = current > 0 && current == last ? unchanged + 1 : 0
        last = current
    }
    return last
}
