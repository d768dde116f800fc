/// The requests, bytes, errors and latencies of one worker, or of several, in a phase.
package struct Tally: Sendable {
    package private(set) var requests = 0
    package private(set) var bytes = 0
    package private(set) var errors = 0
    package private(set) var firstError: String?
    package private(set) var latencies = LatencyHistogram()

    package init() {}

    /// Counts a request with a correct response.
    package mutating func record(bytes moved: Int, nanoseconds: UInt64) {
        requests &+= 1
        bytes &+= moved
        latencies.record(nanoseconds: nanoseconds)
    }

    /// Counts a request that failed.
    package mutating func record(error: any Error) {
        errors += 1
        if firstError == nil { firstError = "\(error)" }
    }

    /// True if there are at least 100 failures, and more failures than successes; the client then stops.
    package var isHopeless: Bool { errors >= 100 && errors > requests }

    package mutating func merge(_ other: Tally) {
        requests += other.requests
        bytes += other.bytes
        errors += other.errors
        firstError = firstError ?? other.firstError
        latencies.merge(other.latencies)
    }
}
