import SockeyeCore
import SockeyeEngine
import SockeyeNet

/// Writes a body to a file, on threads of its own: a disk that is behind may block for seconds, which the threads of the
/// system's pool must not.
actor FileSink: BodySink {
    /// How much goes to a thread at once.
    private static let gatherSize = 256 << 10

    private let target: String
    private let file: DraftFile
    private var gathered = BytesAccumulator(expected: gatherSize)
    private var written = 0

    init(target: String) async throws(SockeyeError) {
        self.target = target
        file = try await Self.translating { () async throws(FileFailure) in
            try await DiskThreadPool.opening.run { () throws(FileError) in
                try DraftFile.create(for: target, mode: 0o666)
            }
        }
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        gathered.append((chunk as? Bytes) ?? Bytes(chunk))
        if gathered.count >= Self.gatherSize { try await flush() }
    }

    private func flush() async throws(SockeyeError) {
        let (bytes, file, start) = (gathered.finish(), file, written)
        written += bytes.count
        try await Self.translating { () async throws(FileFailure) in
            try await file.disk.run { () throws(FileError) in
                var position = start
                try file.write(bytes, at: &position)
            }
        }
    }

    /// Called once, when the producer has returned. The number of bytes.
    func finish() async throws(SockeyeError) -> Int {
        try await flush()
        let (file, target) = (file, target)
        _ = try await Self.translating { () async throws(FileFailure) in try await file.finish(at: target) }
        return written
    }

    /// Removes what was written, now: the thread that wrote last may have the file for a moment longer.
    nonisolated func abandon() {
        file.abandon()
    }

    private static func translating<Value: Sendable>(
        _ work: () async throws(FileFailure) -> Value
    ) async throws(SockeyeError) -> Value {
        do throws(FileFailure) {
            return try await work()
        } catch {
            throw Self.error(error)
        }
    }

    private static func error(_ failure: FileFailure) -> SockeyeError {
        switch failure {
        case .cancelled: return SockeyeError(TransportError.cancelled, phase: .send)
        case .system(let error):
            var fields = SockeyeError.Fields(.bodyFailed, phase: .send, blame: .caller, message: error.description)
            fields.underlying = error
            return SockeyeError(fields)
        }
    }
}
