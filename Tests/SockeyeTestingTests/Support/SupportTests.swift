import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Test support", .timeLimit(.minutes(1)))
struct SupportTests {
    @Test("the bytes of a test pattern depend on their position, and do not match at the next one")
    func pattern() {
        for offset in [0, 1, 250, 251, 262_043, 262_044, 1 << 30, 5_000_000_000] {
            let bytes = TestPattern.bytes(at: offset, upTo: 1000)
            #expect(!bytes.isEmpty)
            #expect(bytes.indices.allSatisfy { bytes[$0] == TestPattern.byte(at: offset + $0) })
            #expect(TestPattern.matches(bytes, at: offset))
            #expect(!TestPattern.matches(bytes, at: offset + 1))
        }
        let seam = Bytes((0..<600_000).map { TestPattern.byte(at: 7 + $0) })
        #expect(TestPattern.matches(seam, at: 7))
    }

    @Test("a signal ends present and future waits")
    func signal() async throws {
        let signal = TestSignal()
        async let present: Void = signal.wait()
        #expect(!signal.isFired)
        signal.fire()
        signal.fire()
        try await present
        try await signal.wait(timeout: .zero)
    }

    @Test("a cancelled wait ends")
    func cancelledWait() async throws {
        let signal = TestSignal()
        let task = Task { try await signal.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("descriptors are counted")
    func descriptors() async throws {
        // Other tests run at the same time, so only plausible ranges can be checked.
        #expect(DescriptorCount.current() > 2)
        #expect(try await DescriptorCount.settle(atMost: .max) > 2)
    }

    @Test("a cancelled wait for descriptors ends")
    func cancelledSettling() async throws {
        let task = Task { try await DescriptorCount.settle(atMost: -1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("the heap is measured", .needs(.allocatedBytes))
    func heap() {
        #expect(HeapUsage.current() > 10_000)
    }
}
