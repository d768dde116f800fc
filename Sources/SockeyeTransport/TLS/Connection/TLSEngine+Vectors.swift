import CSockeyeSystem
import Glibc
import SockeyeCore

extension TLSEngine {
    /// Writes a prefix of `vectors`. A small first vector, typically a head, shares a record with what follows it: one
    /// record costs less than two, and one packet too.
    func write(vectors: UnsafeBufferPointer<iovec>) -> Transfer {
        var rest = vectors[...]
        while let first = rest.first, first.iov_len == 0 { rest = rest.dropFirst() }
        guard let first = rest.first else { return .bytes(0) }
        let direct = UnsafeRawBufferPointer(start: first.iov_base, count: first.iov_len)
        guard rest.count > 1, first.iov_len < Self.recordLimit else { return write(direct) }
        // The same vectors give the same record again, as a repeated write must.
        let size = min(Self.recordLimit, rest.reduce(0) { $0 + $1.iov_len })
        guard size > first.iov_len else { return write(direct) }
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { record in
            var filled = 0
            for vector in rest where filled < size {
                let part = UnsafeRawBufferPointer(start: vector.iov_base, count: min(vector.iov_len, size - filled))
                UnsafeMutableRawBufferPointer(rebasing: record[filled...]).copyMemory(from: part)
                filled += part.count
            }
            return write(UnsafeRawBufferPointer(record))
        }
    }
}
