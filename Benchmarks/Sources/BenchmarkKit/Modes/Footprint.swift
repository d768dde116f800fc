internal import CHeap
internal import Glibc

/// What this process holds at one moment, or how much more it holds than at another.
package struct Footprint: Codable, Sendable, Equatable {
    /// Open files, sockets and the like.
    package var descriptors: Int
    /// What malloc has handed out and not got back.
    package var heapBytes: Int
    /// What of the process is in memory, used or not.
    package var residentBytes: Int

    static func current() -> Footprint {
        Footprint(
            descriptors: descriptorCount(), heapBytes: Int(bench_heap_in_use()), residentBytes: residentSize())
    }

    /// The footprint once it stays the same: what ends with the last request ends a little later elsewhere.
    static func settled() async throws -> Footprint {
        var last = current()
        for _ in 0..<50 {
            try await Task.sleep(for: .milliseconds(20))
            let next = current()
            if next.heapBytes == last.heapBytes, next.descriptors == last.descriptors { return next }
            last = next
        }
        return last
    }

    static func - (left: Footprint, right: Footprint) -> Footprint {
        Footprint(
            descriptors: left.descriptors - right.descriptors, heapBytes: left.heapBytes - right.heapBytes,
            residentBytes: left.residentBytes - right.residentBytes)
    }

    var json: String {
        "{\"descriptors\":\(descriptors),\"heapBytes\":\(heapBytes),\"residentBytes\":\(residentBytes)}"
    }

    /// Without `.`, `..` and the descriptor that reads them.
    private static func descriptorCount() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return count
    }

    private static func residentSize() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: 256) { max(0, read(file, $0.baseAddress, $0.count)) }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
