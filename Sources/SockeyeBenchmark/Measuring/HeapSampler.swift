import SockeyeTesting

/// Looks at the heap every 20 ms, beside the work that is measured.
struct HeapSampler {
    private let sampling: Task<Int, Never> = Task {
        var peak = HeapUsage.current()
        while (try? await Task.sleep(for: .milliseconds(20))) != nil { peak = max(peak, HeapUsage.current()) }
        return max(peak, HeapUsage.current())
    }

    /// Ends the sampling.
    ///
    /// - Returns: The most bytes of heap in use at any look.
    func peak() async -> Int {
        sampling.cancel()
        return await sampling.value
    }
}
