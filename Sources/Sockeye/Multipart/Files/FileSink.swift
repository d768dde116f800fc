import Glibc
import SockeyeCore
import SockeyeTransport

/// Writes a body to a file, on threads of its own: a disk that is behind may block for seconds, which the threads of the
/// system's pool must not.
actor FileSink: BodySink {
    private static let workers = BlockingWorkers(
        name: "sockeye-files", threads: 2, queueLimit: 1024, idleTime: .seconds(5))
    /// How much goes to a thread at once.
    private static let gatherSize = 256 << 10

    private let file: PartialFile
    private var gathered = BytesAccumulator(expected: gatherSize)
    private var written = 0

    init(target: String) async throws(SockeyeError) {
        file = try await Self.perform { () throws(FileError) in try PartialFile(beside: target) }
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        let bytes = (chunk as? Bytes) ?? Bytes(chunk)
        gathered.append(bytes)
        written += bytes.count
        if gathered.count >= Self.gatherSize { try await flush() }
    }

    private func flush() async throws(SockeyeError) {
        let (bytes, file) = (gathered.finish(), file)
        try await Self.perform { () throws(FileError) in try file.write(bytes) }
    }

    /// Called once, when the producer has returned. The number of bytes.
    func finish() async throws(SockeyeError) -> Int {
        try await flush()
        let file = file
        try await Self.perform { () throws(FileError) in try file.synchronize() }
        // Here and not on another thread, where it would go on after a cancellation that says that nothing happened.
        do throws(FileError) { try file.replace() } catch { throw Self.failure(error) }
        // The file is in its place now, whatever comes of this.
        try? await Self.perform { () throws(FileError) in file.synchronizeFolder() }
        return written
    }

    /// Removes what was written, now: the thread that wrote last may have the file for a moment longer.
    nonisolated func abandon() {
        file.remove()
    }

    private static func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(SockeyeError) -> Value {
        let result: Result<Value, FileError>
        do throws(BlockingRefusal) {
            result = try await workers.run { Result(catching: work) }
        } catch {
            throw refusal(error)
        }
        do throws(FileError) {
            return try result.get()
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: FileError) -> SockeyeError {
        var fields = SockeyeError.Fields(.bodyFailed, phase: .send, blame: .caller, message: error.description)
        fields.underlying = error
        return SockeyeError(fields)
    }

    private static func refusal(_ refusal: BlockingRefusal) -> SockeyeError {
        switch refusal {
        case .cancelled: SockeyeError(TransportError.cancelled, phase: .send)
        default:
            SockeyeError(
                .init(.outOfResources, phase: .send, blame: .network, message: "no thread to write a file: \(refusal)"))
        }
    }
}
