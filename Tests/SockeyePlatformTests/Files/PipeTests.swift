import Foundation
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

@Suite("Pipes and SIGPIPE", .timeLimit(.minutes(1)))
struct PipeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let error = unsafe mkfifo(folder("p"), 0o600) == 0 ? nil : SystemError.last
        if let error { throw error }
    }

    private func write(_ file: Int32, _ bytes: [UInt8], _ writing: SystemFile.Writing = .appending) -> Int {
        unsafe bytes.withUnsafeBytes { unsafe SystemFile.write(file, $0, writing) }
    }

    /// Opens both ends, without waiting.
    private func ends() throws -> (reader: Int32, writer: Int32) {
        let reader = try SystemFile.open(folder("p"), for: .reading)
        return (reader, try SystemFile.open(folder("p"), for: .writing))
    }

    @Test("opening a FIFO for reading does not wait for a writer")
    func noWait() throws {
        let reader = try SystemFile.open(folder("p"), for: .reading)
        defer { SystemFile.close(reader) }
        #expect(try SystemFile.contents(of: reader, upTo: 10) == [])
        #expect(try SystemFile.status(of: reader).kind == .other)
    }

    @Test("a write to a pipe without reader fails, and no signal ends the process")
    func brokenPipe() throws {
        let (reader, writer) = try ends()
        defer { SystemFile.close(writer) }
        #expect(write(writer, [1]) == 1)
        SystemFile.close(reader)
        // The runtime or the test runner may ignore the signal.
        let previous = signal(SIGPIPE, SIG_DFL)
        defer { signal(SIGPIPE, previous) }
        #expect(SystemError(ofResult: write(writer, [1])) == .brokenPipe)
        #expect(SystemError(ofResult: write(writer, [1])) == .brokenPipe)
    }

    @Test("a blocking write that the reader cuts off returns the bytes before, and no signal ends the process")
    func cutWrite() throws {
        var ends: [Int32] = [0, 0]
        unsafe #expect(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { SystemFile.close(writer) }
        let previous = signal(SIGPIPE, SIG_DFL)
        defer { signal(SIGPIPE, previous) }
        // More than a pipe holds, so that the write blocks after its first part.
        let (count, hasEnded) = (1 << 20, DispatchSemaphore(value: 0))
        let written = Mutex(0)
        DispatchQueue.global().async {
            let bytes = [UInt8](repeating: 1, count: count)
            let result = unsafe bytes.withUnsafeBytes { unsafe SystemFile.write(writer, $0, .appending) }
            written.withLock { $0 = result }
            hasEnded.signal()
        }
        #expect(try SystemFile.contents(of: reader, upTo: 1000).count > 0)
        SystemFile.close(reader)
        #expect(hasEnded.wait(timeout: .now() + 30) == .success)
        #expect(written.withLock { $0 > 0 && $0 < count })
    }

    @Test("a write to a socket does not wait, and fails without a signal after the peer has closed")
    func socket() throws {
        let connection = try Connection(.unix)
        #expect(write(connection.client, [1, 2], .toSocket) == 2)
        _ = try fill(connection.client)
        #expect(SystemError(ofResult: write(connection.client, [1], .toSocket)) == .wouldBlock)
        connection.close(connection.server)
        #expect(SystemError(ofResult: write(connection.client, [1], .toSocket)) == .brokenPipe)
    }

    @Test("a write to a full pipe would block, and the pipe is reported writable after it was read")
    func full() throws {
        let (reader, writer) = try ends()
        defer {
            SystemFile.close(writer)
            SystemFile.close(reader)
        }
        let readiness = try Readiness()
        try readiness.watch(writer, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        let block = [UInt8](repeating: 1, count: 4096)
        var sent = 0
        while write(writer, block) > 0 { sent += block.count }
        #expect(SystemError(ofResult: write(writer, block)) == .wouldBlock)
        var left = sent
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while left > 0 {
            let count = unsafe Foundation.read(reader, &room, room.count)
            guard count > 0 else { break }
            left -= count
        }
        #expect(left <= 0)
        #expect(readiness.until(1) { $0.isWritable })
    }

    @Test("closing the writer of a pipe reports the end to its reader")
    func end() throws {
        let (reader, writer) = try ends()
        defer { SystemFile.close(reader) }
        let readiness = try Readiness()
        try readiness.watch(reader, token: 1)
        _ = readiness.edges()
        #expect(write(writer, [1]) == 1)
        #expect(readiness.until(1) { $0.isReadable })
        SystemFile.close(writer)
        #expect(readiness.until(1) { $0.hasEnded })
        #expect(try SystemFile.contents(of: reader, upTo: 10) == [1])
    }

    @Test("a pipe is opened a second time with flags of its own, or the system refuses")
    func reopening() throws {
        let (reader, writer) = try ends()
        defer {
            SystemFile.close(writer)
            SystemFile.close(reader)
        }
        guard SystemFeature.reopening.isSupported else {
            #expect(throws: SystemError.notSupported) { try SystemFile.reopen(writer, for: .writing) }
            return
        }
        let other = try SystemFile.reopen(writer, for: .writing)
        #expect(other != writer)
        #expect(write(other, [5]) == 1)
        SystemFile.close(other)
        var byte: UInt8 = 0
        let count = unsafe Foundation.read(reader, &byte, 1)
        #expect(count == 1 && byte == 5)
    }

    @Test("a SIGPIPE that the call raised is consumed, and a SIGPIPE that was pending before the call stays pending")
    func pending() {
        var (pipe, previous, now) = (sigset_t(), sigset_t(), sigset_t())
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        func isPending() -> Bool {
            unsafe sigpending(&now)
            return unsafe sigismember(&now, SIGPIPE) == 1
        }
        let result = PipeSignal.suppressed(from: { pthread_kill(pthread_self(), SIGPIPE) }, mayHaveCome: { $0 == 0 })
        #expect(result == 0 && !isPending())
        pthread_kill(pthread_self(), SIGPIPE)
        _ = PipeSignal.suppressed(from: { true }, mayHaveCome: { $0 })
        #expect(isPending())
        var number: Int32 = 0
        unsafe sigwait(&pipe, &number)
        #expect(number == SIGPIPE)
    }
}
