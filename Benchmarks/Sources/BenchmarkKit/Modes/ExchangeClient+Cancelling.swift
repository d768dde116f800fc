extension ExchangeClient {
    /// Runs workers that each start requests in separate tasks, which are cancelled while they wait for the response.
    package func giveUp(_ phase: Phase) async -> Tally {
        let canceller = Canceller(slots: options.workers)
        let loop = Task { await canceller.run() }
        defer { loop.cancel() }
        return await withTaskGroup(of: Tally.self) { group in
            for slot in 0..<options.workers {
                group.addTask { await giveUp(phase, canceller, slot) }
            }
            var sum = Tally()
            for await tally in group { sum.merge(tally) }
            return sum
        }
    }

    private func giveUp(_ phase: Phase, _ canceller: Canceller, _ slot: Int) async -> Tally {
        var tally = Tally()
        var patience = Patience(task: slot)
        var start = MonotonicClock.now
        while phase.admits(at: start, had: 1), !tally.isHopeless {
            let wait = patience.next()
            let task = Task(executorPreference: executor) {
                canceller.cancel(slot, at: MonotonicClock.now + wait)
                return try await exchange()
            }
            canceller.watch(task, in: slot)
            let result = await task.result
            let cancelled = canceller.end(slot)
            start = MonotonicClock.now
            switch (result, cancelled) {
            case (.failure, .some(let moment)): tally.record(bytes: 0, nanoseconds: start &- moment)
            case (.failure(let error), .none): tally.record(error: error)
            case (.success, _): tally.record(error: UnexpectedAnswer())
            }
        }
        return tally
    }
}

private struct UnexpectedAnswer: Error {}
