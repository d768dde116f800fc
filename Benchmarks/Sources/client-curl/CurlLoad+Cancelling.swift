import BenchmarkKit
import CCurl
import Glibc

extension CurlLoad {
    /// Removes handles before their transfers end, which cancels the transfers in libcurl.
    func giveUp(_ phase: Phase) throws -> Tally {
        var tally = Tally()
        // libcurl's own timeouts are whole milliseconds.
        let ticks = try Ticks(every: Patience.tick)
        var waits = transfers.values.enumerated().map { Wait(transfer: $1, patience: Patience(task: $0)) }
        for index in waits.indices { waits[index].begin(on: multi, at: MonotonicClock.now) }
        while !waits.isEmpty {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var result = CURLE_OK
            while bench_curl_done(multi, &result) != nil {
                tally.record(error: CurlError(description: String(cString: curl_easy_strerror(result))))
            }
            let now = MonotonicClock.now
            let goesOn = phase.admits(at: now, had: 1) && !tally.isHopeless
            for index in waits.indices where waits[index].due <= now {
                waits[index].end(on: multi)
                tally.record(bytes: 0, nanoseconds: MonotonicClock.now - now)
                if goesOn { waits[index].begin(on: multi, at: MonotonicClock.now) }
            }
            if !goesOn { waits.removeAll { $0.due <= now } }
            ticks.poll(multi)
        }
        return tally
    }

    /// A transfer and the time of its cancellation.
    private struct Wait {
        let transfer: CurlTransfer
        var patience: Patience
        var due: UInt64 = 0

        mutating func begin(on multi: UnsafeMutableRawPointer, at now: UInt64) {
            transfer.begin(at: now)
            due = now + patience.next()
            curl_multi_add_handle(multi, transfer.handle)
        }

        func end(on multi: UnsafeMutableRawPointer) {
            curl_multi_remove_handle(multi, transfer.handle)
        }
    }
}

/// A timer descriptor that becomes readable at a fixed interval.
private final class Ticks {
    private let descriptor: Int32

    init(every nanoseconds: UInt64) throws {
        descriptor = bench_timer(Int(nanoseconds))
        guard descriptor >= 0 else { throw CurlError(description: "cannot create a timer") }
    }

    /// Waits for a tick or for activity of a transfer.
    func poll(_ multi: UnsafeMutableRawPointer) {
        var timer = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        curl_multi_poll(multi, &timer, 1, 1000, nil)
        var expired: UInt64 = 0
        _ = read(descriptor, &expired, MemoryLayout<UInt64>.size)
    }

    deinit { close(descriptor) }
}
