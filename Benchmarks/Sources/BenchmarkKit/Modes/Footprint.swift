internal import CHeap
internal import Glibc

/// The resources that this process holds at a moment, or the difference between two moments.
package struct Footprint: Codable, Sendable, Equatable {
    /// The number of open descriptors.
    package var descriptors: Int
    /// The bytes that malloc has handed out and that were not freed.
    package var heapBytes: Int
    /// The bytes of the process in memory, used or not.
    package var residentBytes: Int

    static func current() -> Footprint {
        Footprint(
            descriptors: descriptorCount(), heapBytes: Int(bench_heap_in_use()), residentBytes: residentSize())
    }

    /// Returns the footprint once it no longer changes, because some resources are freed shortly after the last
    /// request.
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

    /// Counts the entries of /proc/self/fd without `.`, `..` and the descriptor that reads them.
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
