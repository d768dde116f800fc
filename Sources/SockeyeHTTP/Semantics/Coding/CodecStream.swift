package import SockeyeCore

/// The interface to a library that decodes a content coding. A container is the coded data from its header to its
/// trailer, for example a member of gzip.
package protocol Decompressor: AnyObject {
    /// The number of bytes consumed since the start or the last ``restart()``.
    var totalConsumed: Int { get }
    /// Decodes from `input` to `output` until one of them is used up, the container ends, or an error occurs.
    func decompress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecompressionStep
    /// Prepares for another container of the same format.
    func restart()
}

/// The result of one call of a decompressor.
package struct DecompressionStep {
    package enum Outcome {
        /// The library needs more input, or more room for output.
        case more
        /// The container has ended: its trailer is checked and all its output is written.
        case ended
        case failed(CodecError)
    }

    package let consumed: Int
    package let produced: Int
    package let outcome: Outcome
    /// Bytes that follow the container but were already consumed by earlier steps, because the library reads ahead.
    /// Empty unless `outcome` is `ended`.
    package var unread = Bytes()
}

/// The library that decodes gzip and deflate.
package enum InflateLibrary: Sendable, CaseIterable {
    case zlib
    #if ISAL
    case isal
    #endif

    /// The fastest library that is linked.
    package static let preferred = allCases[allCases.count - 1]
}

/// The interface to a library that applies a content coding.
package protocol Compressor: AnyObject {
    /// Encodes from `input` to `output` until one of them is used up. `isLast` is true if no more input follows.
    func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(CodecError) -> CompressionStep
}

/// The result of one call of a compressor.
package struct CompressionStep {
    package let consumed: Int
    package let produced: Int
    package let hasEnded: Bool
}

extension ContentCoding {
    /// The levels of the coding's library, from the fastest compression to the smallest output.
    package var levels: ClosedRange<Int> {
        switch self {
        case .identity, .gzip, .deflate: 0...9
        case .brotli: 0...11
        case .zstandard: 1...19
        }
    }

    /// The default of zlib for gzip and deflate. For the other codings, a level that takes at most about the same time
    /// as that default, and gives a smaller output.
    package var defaultLevel: Int {
        switch self {
        case .identity, .gzip, .deflate: 6
        case .brotli: 5
        case .zstandard: 3
        }
    }

    /// The length in bytes of the magic number that begins a gzip member or Zstandard frame; unused for other codings.
    ///
    /// If decoding fails within this many bytes after a container, these bytes do not begin another container, and the
    /// error is ``CodecError/trailingGarbage``. If the data ends there without such a failure, the next container
    /// counts as truncated.
    var magicLength: Int { self == .zstandard ? 4 : 2 }

    /// True if containers may follow each other: members of gzip (RFC 1952 2.2), frames of Zstandard (RFC 8878 3).
    var hasMembers: Bool { self == .gzip || self == .zstandard }

    /// The error for a coding without a linked library.
    var notLinked: CodecError { missingTrait.map { .notLinked(self, trait: $0) } ?? .misuse }

    /// Makes the library's encoder of the coding; nil for `identity`.
    func compressor(level: Int) throws(CodecError) -> (any Compressor)? {
        switch self {
        case .identity: return nil
        case .gzip: return try Deflater(.gzip, level: Int32(clamping: level))
        case .deflate: return try Deflater(.zlib, level: Int32(clamping: level))
        case .brotli:
            #if Brotli
            return try BrotliCompressor(level: level)
            #else
            throw notLinked
            #endif
        case .zstandard:
            #if Zstandard
            return try ZstandardCompressor(level: level)
            #else
            throw notLinked
            #endif
        }
    }
}
