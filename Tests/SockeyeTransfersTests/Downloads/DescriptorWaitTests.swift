import Glibc
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Synchronization
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

@Suite("Waits of a download for a file descriptor", .timeLimit(.minutes(1))) final class DescriptorWaitTests {
    private let clock = ManualClock()
    private let attempts = Mutex(0)

    private func wait(limit: Duration? = .seconds(2), idle: Int = 0) throws -> DescriptorWait {
        let poller = try EventPoller(time: clock.timeSource)
        let left = TestCounter(idle)
        return DescriptorWait(
            limit: limit, clock: CallClock(time: clock.timeSource) { poller },
            closeIdleConnection: { left.take() })
    }

    /// A stock of idle connections.
    private final class TestCounter: Sendable {
        private let count: Mutex<Int>

        init(_ count: Int) { self.count = Mutex(count) }

        func take() -> Bool {
            count.withLock { count in
                guard count > 0 else { return false }
                count -= 1
                return true
            }
        }
    }

    /// Opens a file at the attempt `number`; earlier attempts fail.
    private func open(at number: Int, error: Int32 = EMFILE) throws(FileFailure) -> Int {
        let attempt = attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
        guard attempt == number else { throw .system(FileError("create", "/x", SystemError(error))) }
        return attempt
    }

    @Test("the wait first closes idle connections, without a delay")
    func idle() async throws {
        let wait = try wait(idle: 3)
        let found = try await wait.open { () async throws(FileFailure) in try open(at: 4) }
        #expect(found == 4)
    }

    @Test("the wait ends at its limit even if each attempt finds another idle connection to close")
    func busyPool() async throws {
        let wait = try wait(limit: .seconds(2), idle: .max)
        let error = await #expect(throws: FileFailure.self) {
            try await wait.open { () async throws(FileFailure) in
                clock.advance(by: .milliseconds(100))
                return try open(at: 1000)
            }
        }
        #expect(error != nil && attempts.withLock(\.self) <= 22)
    }

    @Test("the wait retries until a descriptor is free", arguments: [EMFILE, ENFILE])
    func again(error: Int32) async throws {
        // The limit is a day, because on a busy machine the clock advances many times before the next attempt.
        let wait = try wait(limit: .seconds(86_400))
        let found = try await clock.advancing(by: .milliseconds(100)) {
            try await wait.open { () async throws(FileFailure) in try open(at: 5, error: error) }
        }
        #expect(found == 5)
    }

    @Test("the wait ends with EMFILE at its limit, and with another error at once", arguments: [EMFILE, ENOENT])
    func ends(code: Int32) async throws {
        let wait = try wait()
        let error = await #expect(throws: FileFailure.self) {
            try await clock.advancing(by: .milliseconds(100)) {
                try await wait.open { () async throws(FileFailure) in try open(at: 1000, error: code) }
            }
        }
        guard case .system(let fault)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.code == code)
        let count = attempts.withLock(\.self)
        #expect(code == ENOENT ? count == 1 : (2...30).contains(count), "\(count) attempts")
    }

    @Test(
        "a request waits for a descriptor if it cannot connect for lack of one, and fails at once with other errors",
        arguments: [
            (.connect, .outOfResources, true), (.resolve, .outOfResources, true), (.send, .outOfResources, false),
            (.pool, .outOfResources, false), (.connect, .connectFailed, false),
        ] as [(SockeyeError.Phase, SockeyeError.Code, Bool)])
    func request(phase: SockeyeError.Phase, code: SockeyeError.Code, waits: Bool) async throws {
        let wait = try wait(limit: .seconds(86_400))
        let identity = RequestIdentity(method: "GET", url: try HTTPURL("http://a.test/"))
        let found = try? await clock.advancing(by: .milliseconds(100)) {
            try await wait.send(about: identity) { () async throws(SockeyeError) in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                guard attempt == 3 else { throw SockeyeError(.init(code, phase: phase, blame: .network, message: "")) }
                return attempt
            }
        }
        #expect(found == (waits ? 3 : nil))
        let count = attempts.withLock(\.self)
        #expect(count == (waits ? 3 : 1))
    }

    @Test(
        "reading or writing a file waits for a descriptor, and fails at once with other errors",
        arguments: [(.outOfResources, true), (.fileFailed, false)] as [(SockeyeError.Code, Bool)])
    func access(code: SockeyeError.Code, waits: Bool) async throws {
        let wait = try wait(limit: .seconds(86_400))
        let found = try? await clock.advancing(by: .milliseconds(100)) {
            try await wait.access { () async throws(SockeyeError) in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                guard attempt == 3 else { throw SockeyeError(.init(code, phase: .body, blame: .disk, message: "")) }
                return attempt
            }
        }
        #expect(found == (waits ? 3 : nil))
        let count = attempts.withLock(\.self)
        #expect(count == (waits ? 3 : 1))
    }

    @Test("a cancelled request does not wait for a descriptor")
    func cancelled() async throws {
        let wait = try wait(limit: nil)
        let identity = RequestIdentity(method: "GET", url: try HTTPURL("http://a.test/"))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await wait.send(about: identity) { () async throws(SockeyeError) -> Int in
                throw SockeyeError(.init(.outOfResources, phase: .connect, blame: .network, message: ""))
            }
        }
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.url == "http://a.test/")
    }
}
