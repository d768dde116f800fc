import SockeyeCore
import SockeyeHTTP

/// Coded content that decodes to almost no bytes, or to about a thousand times its size.
extension EndlessAnswer {
    /// The header of a gzip member without options (RFC 1952 2.3).
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    /// A stored block without content (RFC 1951 3.2.4).
    private static let emptyBlock: [UInt8] = [0, 0, 0, 0xFF, 0xFF]

    /// One coding that decodes each byte to about a thousand zeros.
    package static func zeros() throws -> EndlessAnswer {
        answer(
            "zeros by gzip", ["gzip"], header,
            try segment([UInt8](repeating: 0, count: 4 << 20)))
    }

    /// Two codings. The inner one consists of empty blocks, with one byte of content for each 4 MiB of them.
    package static func emptyBlocks() throws -> EndlessAnswer {
        let empty = Array(Bytes(repeating: emptyBlock, count: (4 << 20) / emptyBlock.count * emptyBlock.count))
        let content: [UInt8] = [0, 1, 0, 0xFE, 0xFF, 0x61]
        return answer(
            "two layers of gzip with blocks without content", ["gzip", "gzip"], header + (try segment(header)),
            try segment(empty + content))
    }

    private static func answer(
        _ description: String, _ codings: [String], _ start: [UInt8], _ block: [UInt8]
    ) -> EndlessAnswer {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(codings.joined(separator: ", "))\r\n"
            + "Content-Length: 4611686018427387904\r\n\r\n"
        return EndlessAnswer(description, start: Bytes(Array(head.utf8) + start), block: Bytes(block))
    }

    /// Returns deflate blocks that can be repeated: they refer to no earlier data and end at a byte boundary.
    private static func segment(_ content: [UInt8]) throws -> [UInt8] {
        let deflater = try Deflater(rawWindowBits: 15, level: 9)
        var output = [UInt8](repeating: 0, count: content.count + 1024)
        let step = try unsafe content.withUnsafeBytes { input in
            try unsafe output.withUnsafeMutableBytes { space in
                try unsafe deflater.compress(input, into: space, flush: .sync)
            }
        }
        return Array(output[..<step.produced])
    }
}
