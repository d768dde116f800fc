import CShortage
import Glibc
import SockeyeEssentials

/// A case of the run: it makes, uses and drops an owner of C objects or descriptors.
struct OwnerCase: Sendable {
    let name: String
    /// True if a memory leak is a fault. False for a library that leaks when some of its own allocations fail.
    let checksMemory: Bool
    let use: @Sendable () async throws -> Void

    init(_ name: String, checksMemory: Bool = true, _ use: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.checksMemory = checksMemory
        self.use = use
    }
}

/// A run of one case after the other, in which each call that allocates memory or opens a descriptor fails in turn.
///
/// These outcomes are faults: a crash, a second free (which AddressSanitizer reports), a memory leak, and a descriptor
/// that is closed twice or not at all. A case that fails even after the shortage is a fault, too. Every other outcome
/// is right.
final class ShortageRun {
    /// The maximum number of calls of a case that fail in turn. If a case has more, calls at equal distances fail.
    let limit: Int
    private(set) var faults: [String] = []

    /// The number of runs in which a call fails. Memory that is not freed is a leak only if it grows in each of these
    /// runs.
    private static let repetitions = 4

    init(limit: Int) {
        self.limit = limit
    }

    func run(_ owner: OwnerCase) async {
        do {
            // The first use makes the objects that libraries keep for the life of the process.
            for _ in 0..<2 { try await owner.use() }
        } catch {
            report("\(owner.name): fails although nothing is short: \(error)")
            return
        }
        let total = await count(owner)
        let step = max(1, (total + limit - 1) / limit)
        var failures = 0
        for call in stride(from: 1, through: total, by: step) { failures += await fail(call, of: owner) }
        print("\(owner.name): \(total) calls, \(failures) of \((total + step - 1) / step) failures were reported")
    }

    private func count(_ owner: OwnerCase) async -> Int {
        shortage_begin(0)
        _ = try? await owner.use()
        return shortage_end()
    }

    /// Runs the case with one failing call. Returns 1 if the case reported an error.
    private func fail(_ call: Int, of owner: OwnerCase) async -> Int {
        let descriptors = Self.openDescriptors
        let badCloses = shortage_bad_closes()
        var live: [Int] = []
        var isReported = false
        for _ in 0..<Self.repetitions {
            shortage_begin(call)
            do { try await owner.use() } catch { isReported = true }
            _ = shortage_end()
            live.append(shortage_live())
        }
        if owner.checksMemory, zip(live, live.dropFirst()).allSatisfy({ $0 < $1 }) {
            report(owner, call, "leaks memory: \(live)")
        }
        if shortage_bad_closes() != badCloses { report(owner, call, "closes a descriptor that is not open") }
        // OpenSSL opens a random source once, and keeps it open.
        if await !Self.settles({ Self.openDescriptors < descriptors + Self.repetitions }) {
            report(owner, call, "leaks descriptors: \(descriptors) became \(Self.openDescriptors)")
        }
        do { try await owner.use() } catch { report(owner, call, "fails from then on: \(error)") }
        return isReported ? 1 : 0
    }

    private func report(_ owner: OwnerCase, _ call: Int, _ text: String) {
        report("\(owner.name): if call \(call) fails, it \(text)")
    }

    private func report(_ text: String) {
        faults.append(text)
        print(text)
    }

    /// Waits for the condition, because threads and tasks that were told to end may take a moment.
    private static func settles(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<400 {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return condition()
    }

    private static var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
