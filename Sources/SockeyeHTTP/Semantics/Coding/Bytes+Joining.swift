import SockeyeCore

extension Bytes {
    /// All parts in one block of exactly their size.
    init(joining parts: [Bytes]) {
        unsafe self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
            var offset = 0
            for part in parts {
                unsafe part.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
                }
                offset += part.count
            }
        }
    }

    /// Both in one block: for the rare chunk that comes before the last one was used up.
    func appending(_ other: Bytes) -> Bytes {
        Bytes(joining: [self, other])
    }
}
