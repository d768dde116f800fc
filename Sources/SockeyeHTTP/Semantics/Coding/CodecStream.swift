package import SockeyeCore

/// The seam to a library that undoes a coding.
package protocol Decompressor: AnyObject {
    /// The bytes consumed since the start or the last ``restart()``.
    var totalConsumed: Int { get }
    /// Moves what fits from `input` to `output`.
    func decompress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecompressionStep
    /// Makes ready for another container of the same format.
    func restart()
}

/// How far a call of a decompressor has come.
package struct DecompressionStep {
    package enum Outcome {
        /// Needs more input, or more room for output.
        case more
        /// The container's end, its trailer checked, all of its output given.
        case ended
        case failed(CodecError)
    }

    package let consumed: Int
    package let produced: Int
    package let outcome: Outcome
    /// After the end, bytes behind it that earlier steps have consumed.
    package var unread = Bytes()
}

/// The library that undoes gzip and deflate.
package enum InflateLibrary: Sendable, CaseIterable {
    case zlib
    #if ISAL
    case isal
    #endif

    /// The fastest that is linked.
    package static let preferred = allCases[allCases.count - 1]
}

/// The seam to a library that applies a coding.
package protocol Compressor: AnyObject {
    /// Moves what fits from `input` to `output`; `isLast` when no more input will come.
    func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(CodecError) -> CompressionStep
}

/// How far a call of a compressor has come.
package struct CompressionStep {
    package let consumed: Int
    package let produced: Int
    package let hasEnded: Bool
}

extension ContentCoding {
    /// The levels that the coding's library knows, from the fastest to the smallest output.
    package var levels: ClosedRange<Int> {
        switch self {
        case .identity, .gzip, .deflate: 0...9
        #if Brotli
        case .brotli: 0...11
        #endif
        #if Zstandard
        case .zstandard: 1...19
        #endif
        }
    }

    /// A level that takes about as long as zlib's own balance, or less, for a smaller output.
    package var defaultLevel: Int {
        switch self {
        case .identity, .gzip, .deflate: 6
        #if Brotli
        case .brotli: 5
        #endif
        #if Zstandard
        case .zstandard: 3
        #endif
        }
    }

    /// The magic number's length, up to which data that follows a container is not of the coding at all.
    var magicLength: Int {
        #if Zstandard
        if self == .zstandard { return 4 }
        #endif
        return 2
    }

    /// Whether containers may follow each other: members of gzip (RFC 1952 2.2), frames of Zstandard (RFC 8878 3).
    var hasMembers: Bool {
        #if Zstandard
        if self == .zstandard { return true }
        #endif
        return self == .gzip
    }

    func compressor(level: Int) throws(CodecError) -> (any Compressor)? {
        switch self {
        case .identity: nil
        case .gzip: try Deflater(.gzip, level: Int32(clamping: level))
        case .deflate: try Deflater(.zlib, level: Int32(clamping: level))
        #if Brotli
        case .brotli: try BrotliCompressor(level: level)
        #endif
        #if Zstandard
        case .zstandard: try ZstandardCompressor(level: level)
        #endif
        }
    }
}
