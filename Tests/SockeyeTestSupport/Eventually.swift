package import Testing

/// Looks every millisecond until something has come about, and fails when it has not within the limit: for what another task
/// does without an event to wait for.
package func eventually(
    _ what: String, within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async -> Bool
) async {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while await !condition() {
        guard clock.now < end else {
            Issue.record("\(what) did not come about within \(limit)", sourceLocation: sourceLocation)
            return
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// The number at which a count has come to rest: above zero, and the same a hundred looks later. It shows that a producer is
/// held back (backpressure), of which there is no event.
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
