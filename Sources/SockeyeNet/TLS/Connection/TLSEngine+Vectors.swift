import CSockeyeSystem
import Glibc
import SockeyeCore

extension TLSEngine {
    /// Writes a prefix of `vectors`. A small first vector, typically a head, shares a record with what follows it: one
    /// record costs less than two, and one packet too.
    func write(vectors: UnsafeBufferPointer<iovec>) -> Transfer {
        var rest = unsafe vectors[...]
        while let first = unsafe rest.first, unsafe first.iov_len == 0 { unsafe rest = unsafe rest.dropFirst() }
        guard let first = unsafe rest.first else { return .bytes(0) }
        let direct = unsafe UnsafeRawBufferPointer(start: first.iov_base, count: first.iov_len)
        guard unsafe rest.count > 1, unsafe first.iov_len < Self.recordLimit else { return unsafe write(direct) }
        // The same vectors give the same record again, as a repeated write must.
        let size = unsafe min(Self.recordLimit, rest.reduce(0) { unsafe $0 + $1.iov_len })
        guard unsafe size > first.iov_len else { return unsafe write(direct) }
        return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { record in
            var filled = 0
            for index in unsafe rest.indices where filled < size {
                let vector = unsafe rest[index]
                let part = unsafe UnsafeRawBufferPointer(
                    start: vector.iov_base, count: min(vector.iov_len, size - filled))
                unsafe UnsafeMutableRawBufferPointer(rebasing: record[filled...]).copyMemory(from: part)
                filled += part.count
            }
            return unsafe write(UnsafeRawBufferPointer(record))
        }
    }
}
