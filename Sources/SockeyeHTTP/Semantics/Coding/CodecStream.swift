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
        case .brotli: 0...11
        case .zstandard: 1...19
        }
    }

    /// A level that takes about as long as zlib's own balance, or less, for a smaller output.
    package var defaultLevel: Int {
        switch self {
        case .identity, .gzip, .deflate: 6
        case .brotli: 5
        case .zstandard: 3
        }
    }

    /// The length of the magic number. Trailing data that is shorter cannot be told from another container.
    var magicLength: Int { self == .zstandard ? 4 : 2 }

    /// Whether containers may follow each other: members of gzip (RFC 1952 2.2), frames of Zstandard (RFC 8878 3).
    var hasMembers: Bool { self == .gzip || self == .zstandard }

    /// The error of a coding whose library is not linked.
    var notLinked: CodecError { missingTrait.map { .notLinked(self, trait: $0) } ?? .misuse }

    /// The library that applies the coding; nil for `identity`.
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
