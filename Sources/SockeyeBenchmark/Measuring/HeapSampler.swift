import SockeyeTesting

/// Samples the heap size every 20 ms, concurrently with the measured work.
struct HeapSampler {
    private let sampling: Task<Int, Never> = Task {
        var peak = HeapUsage.current()
        while (try? await Task.sleep(for: .milliseconds(20))) != nil { peak = max(peak, HeapUsage.current()) }
        return max(peak, HeapUsage.current())
    }

    /// Ends the sampling.
    ///
    /// - Returns: The largest number of heap bytes among the samples.
    func peak() async -> Int {
        sampling.cancel()
        return await sampling.value
    }
}
