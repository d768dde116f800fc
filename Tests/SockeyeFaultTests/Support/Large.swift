import SockeyeCore

/// A body that exceeds every socket buffer. It is made once, because filling it takes a while in debug builds.
enum Large {
    static let body = unsafe Bytes(count: 100 << 20) { buffer in
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 7)
    }

    static func body(_ count: Int) -> Bytes { body.slice(0..<count) }
}
