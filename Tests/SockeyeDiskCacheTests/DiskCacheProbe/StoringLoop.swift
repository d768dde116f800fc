#if DiskCache
import Glibc
import Sockeye
import SockeyeCache
import SockeyeDiskCache
import SockeyeTesting

/// Stores random responses in several tasks concurrently, and changes and removes some, until the process is killed or
/// its parent process has ended.
///
/// The name of a response gives its key and the length of its content, and the content follows from the name. A reader
/// can therefore verify that a response is complete.
///
/// Prints `ready` when the store is open, and then a dot after each step.
struct StoringLoop: Sendable {
    let path: String
    /// The id of the parent process.
    let parent: Int32

    func run() async throws {
        let store = try DiskCacheStore(at: path, limit: 8 << 20, entryLimit: 2 << 20)
        let subject = CacheStoreSubject(store: store, prefix: "https://killed.test/")
        print("ready")
        fflush(nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    while getppid() == parent {
                        try? await step(subject)
                        _ = unsafe write(STDOUT_FILENO, ".", 1)
                    }
                }
            }
        }
        await store.close()
    }

    private func step(_ subject: CacheStoreSubject) async throws {
        let name = "\(Int.random(in: 0..<16))"
        let key = subject.key(name)
        switch Int.random(in: 0..<10) {
        case 0: try await subject.store.removeAll(for: key)
        case 1:
            guard var found = try await subject.store.responses(for: key).first else { return }
            found.responseTime += 1
            try await subject.store.update(found, for: key)
        case 2:
            guard let found = try await subject.store.responses(for: key).first else { return }
            _ = try await subject.read(found, under: key)
        default:
            let size = Int.random(in: 0..<([500, 70_000, 300_000, 1 << 20].randomElement() ?? 500))
            let id = "\(name)-\(size)-\(UInt64.random(in: .min ... .max))"
            let foo = ["", "a", "b"].randomElement() ?? ""
            try await subject.store(CacheStoreSubject.response(id, foo: foo), size, under: key, pieces: 50_000)
        }
    }
}
#endif
