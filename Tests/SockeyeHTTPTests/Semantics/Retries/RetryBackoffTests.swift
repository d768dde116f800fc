import Testing

@testable import SockeyeHTTP

@Suite("The backoff between retries")
struct RetryBackoffTests {
    private static func pauses(_ backoff: RetryBackoff, random: Double = 0.5, count: Int = 5) -> [Duration] {
        (1...count).map { backoff.pause(before: $0, random: random) }
    }

    @Test("an exponential backoff grows by its factor up to its cap")
    func exponential() {
        let backoff = RetryBackoff.exponential(jitter: .none)
        #expect(
            Self.pauses(backoff, count: 9)
                == [.milliseconds(500)] + [1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) })
        let thirds = RetryBackoff.exponential(base: .milliseconds(100), factor: 3, cap: .seconds(2), jitter: .none)
        #expect(Self.pauses(thirds) == [100, 300, 900, 2000, 2000].map { Duration.milliseconds($0) })
    }

    @Test("a constant backoff is the same each time, and `none` is zero")
    func constant() {
        #expect(Self.pauses(.constant(.milliseconds(100))) == Array(repeating: .milliseconds(100), count: 5))
        #expect(Self.pauses(.none) == Array(repeating: .zero, count: 5))
    }

    @Test(
        "the jitter makes a part of the pause random",
        arguments: [
            (.none, 0.0, 4000), (.none, 0.9, 4000), (.full, 0.0, 0), (.full, 0.25, 1000), (.full, 0.999, 3996),
            (.equal, 0.0, 2000), (.equal, 0.5, 3000), (.equal, 0.999, 3998),
        ] as [(RetryBackoff.Jitter, Double, Int)])
    func jitter(jitter: RetryBackoff.Jitter, random: Double, milliseconds: Int) {
        let backoff = RetryBackoff.exponential(base: .seconds(1), jitter: jitter)
        #expect(backoff.pause(before: 3, random: random) == .milliseconds(milliseconds))
        let constant = RetryBackoff.constant(.seconds(4), jitter: jitter)
        #expect(constant.pause(before: 3, random: random) == .milliseconds(milliseconds))
    }

    @Test(
        "a backoff with senseless parameters gives a bounded pause",
        arguments: [
            .exponential(base: .seconds(-1)), .exponential(factor: .nan), .exponential(factor: .infinity),
            .exponential(factor: -5), .exponential(factor: 0), .exponential(cap: .seconds(-1)),
            .exponential(base: .seconds(Int64.max), cap: .seconds(Int64.max)), .constant(.seconds(-1)),
            .exponential(base: .zero), .exponential(base: .seconds(Int64.min)),
        ] as [RetryBackoff])
    func odd(backoff: RetryBackoff) {
        for retry in [0, 1, 2, 100, .max] {
            let pause = backoff.pause(before: retry, random: 0.99)
            #expect(pause >= .zero && pause <= .seconds(1_000_000_000))
        }
    }
}
