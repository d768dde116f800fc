#if DiskCache
import Glibc
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeDiskCache
import SockeyeTestSupport
import SockeyeTesting

/// Writes one large response into the store and reads it again. For comparison it also writes and reads a plain file in
/// the same folder, with blocks of the same size and fsync(2). Before each reading, the bytes are evicted from the
/// system's cache.
struct TransferMeasurement {
    let folder: String
    let size: Int

    struct Failure: Error {
        let what: String
    }

    /// The cost of the transfer: seconds, and bytes of memory in addition to those of a small transfer.
    struct Report {
        let size: Int
        let additional: Int
        let heap: Int
        fileprivate let plain: Times
        fileprivate let store: Times

        var json: String {
            let fields: [(String, String)] = [
                ("bytes", "\(size)"), ("additional", "\(additional)"), ("heap", "\(heap)"),
                ("plainWrite", "\(plain.write)"), ("plainRead", "\(plain.read)"), ("storeWrite", "\(store.write)"),
                ("storeRead", "\(store.read)"),
            ]
            return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        }

        var text: String {
            func row(_ name: String, _ plain: Double, _ store: Double) -> String {
                let rates = [plain, store].map { "\(Int(Double(size) / $0 / 1e6)) MB/s" }
                return "\(name): \(rates[1]); a plain file \(rates[0]); ratio \(Int(100 * plain / store)) %"
            }
            return """
                \(size >> 20) MiB
                \(row("in, with fsync", plain.write, store.write))
                \(row("out, not cached", plain.read, store.read))
                memory above idle: \(additional >> 10) KiB at the peak, \(heap >> 10) KiB of heap afterwards
                """
        }
    }

    /// The stored content, made in advance so that the measured time does not include making it. Its length is prime,
    /// so that no two blocks are equal.
    private static let content = TestPattern.bytes(at: 0, upTo: 1_048_573)

    private func content(at offset: Int, upTo count: Int) -> Bytes {
        let start = offset % Self.content.count
        return Self.content.slice(start..<min(start + count, Self.content.count))
    }

    func run() async throws -> Report {
        _ = Self.content
        // The plain file is measured before and after the store, because other processes' use of the disk changes
        // within seconds.
        let earlier = try plainFile()
        let store = try DiskCacheStore(at: folder + "/store", limit: 4 * size, entryLimit: size)
        let subject = CacheStoreSubject(store: store)
        // The memory after one small transfer is the base for comparison.
        try await transfer(subject, "warm", 1 << 20, forgets: false)
        ProcessMeter.forgetPeak()
        let (before, heap) = (ProcessMeter.status("VmRSS"), HeapUsage.current())
        let times = try await transfer(subject, "large", size, forgets: true)
        let additional = ProcessMeter.status("VmHWM") - before
        // Other threads may free the last blocks a moment later.
        var grown = HeapUsage.current() - heap
        for _ in 0..<200 where grown >= 1 << 20 {
            try await Task.sleep(for: .milliseconds(5))
            grown = HeapUsage.current() - heap
        }
        let later = try plainFile()
        let plain = Times(write: (earlier.write + later.write) / 2, read: (earlier.read + later.read) / 2)
        let report = Report(
            size: size, additional: additional, heap: grown, plain: plain, store: times)
        await store.close()
        return report
    }

    /// Durations in seconds.
    fileprivate struct Times {
        var write = 0.0
        var read = 0.0
    }

    @discardableResult
    private func transfer(
        _ subject: CacheStoreSubject, _ name: String, _ size: Int, forgets: Bool
    ) async throws -> Times {
        let key = subject.key(name)
        var times = Times()
        let started = ProcessMeter.now
        let response = try CacheStoreSubject.response(name)
        guard let writer = try await subject.store.writer(for: response, key: key) else {
            throw Failure(what: "the store refused the response")
        }
        var offset = 0
        while offset < size {
            let piece = content(at: offset, upTo: min(size - offset, 64 << 10))
            try await writer.write(piece)
            offset += piece.count
        }
        try await writer.commit()
        times.write = ProcessMeter.now - started
        if forgets { try forgetBodies() }
        let second = ProcessMeter.now
        guard let found = try await subject.find(name, under: key),
            case .stream(let open)? = try await subject.store.body(of: found, for: key)
        else { throw Failure(what: "not stored") }
        offset = 0
        var pieces = open(0..<size).makeAsyncIterator()
        while let piece = try await pieces.next(isolation: nil) {
            var rest = piece
            while !rest.isEmpty {
                let expected = content(at: offset, upTo: rest.count)
                guard rest.slice(0..<expected.count) == expected else {
                    throw Failure(what: "other bytes at \(offset)")
                }
                offset += expected.count
                rest = rest.slice(expected.count..<rest.count)
            }
        }
        guard offset == size else { throw Failure(what: "\(offset) bytes instead of \(size)") }
        times.read = ProcessMeter.now - second
        return times
    }

    private func plainFile() throws -> Times {
        let path = folder + "/plain"
        let file = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(what: "no file in \(folder)") }
        defer {
            close(file)
            unsafe unlink(path)
        }
        var times = Times()
        var block = [UInt8](repeating: 7, count: 256 << 10)
        let started = ProcessMeter.now
        for position in stride(from: 0, to: size, by: block.count) {
            let count = min(block.count, size - position)
            guard unsafe pwrite(file, block, count, position) == count else { throw Failure(what: "writing failed") }
        }
        guard fsync(file) == 0 else { throw Failure(what: "fsync failed") }
        times.write = ProcessMeter.now - started
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        let second = ProcessMeter.now
        for position in stride(from: 0, to: size, by: block.count) {
            guard unsafe pread(file, &block, block.count, position) > 0 else { throw Failure(what: "reading failed") }
        }
        times.read = ProcessMeter.now - second
        return times
    }

    /// Evicts the bodies from the system's cache.
    private func forgetBodies() throws {
        let path = folder + "/store/sockeye-cache-bodies"
        guard let directory = unsafe opendir(path) else { throw Failure(what: "no bodies") }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasSuffix(".body") else { continue }
            let file = unsafe open(path + "/" + name, O_RDONLY | O_CLOEXEC)
            posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
            close(file)
        }
    }
}
#endif
