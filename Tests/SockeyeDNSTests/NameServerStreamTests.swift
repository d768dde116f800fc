#if AsyncDNS
import Testing

@testable import SockeyeDNS

@Suite("Messages of a TCP connection to a name server") struct NameServerStreamTests {
    /// Returns the parts of messages that begin in each read.
    private func parts(of reads: [[UInt8]]) -> [[UInt8]] {
        var stream = NameServerStream()
        var parts: [[UInt8]] = []
        for read in reads {
            unsafe read.withUnsafeBytes { bytes in
                unsafe stream.advance(by: bytes) { part in unsafe parts.append(Array(part)) }
            }
        }
        return parts
    }

    @Test(
        "a message is found whether its length is read by itself, with the message, or byte by byte",
        arguments: [
            ([[0, 3], [1, 2, 3], [0, 2], [4, 5]], [[1, 2, 3], [4, 5]]),
            ([[0, 3, 1, 2, 3, 0, 2, 4, 5]], [[1, 2, 3], [4, 5]]),
            ([[0, 3, 1], [2, 3, 0], [2, 4, 5]], [[1], [4, 5]]),
            ([[0], [3], [1], [2], [3], [0], [2], [4], [5]], [[1], [4]]),
            ([[0, 0, 0, 1, 9]], [[9]]), ([[1, 0] + [UInt8](repeating: 7, count: 256), [0, 1, 8]], [Self.long, [8]]),
            ([[], [0, 2], [], [6, 7]], [[6, 7]]),
        ] as [([[UInt8]], [[UInt8]])])
    func reads(reads: [[UInt8]], expected: [[UInt8]]) {
        #expect(parts(of: reads) == expected)
    }

    private static let long = [UInt8](repeating: 7, count: 256)
}
#endif
