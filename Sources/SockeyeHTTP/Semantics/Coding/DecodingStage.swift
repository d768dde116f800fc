import SockeyeCore

/// The decoder of one content coding. A body with several codings passes through several stages. Bytes go in by
/// ``push(_:)``; pieces come out by ``next()``.
///
/// States:
/// - `start`: no byte was decoded yet. The first byte of deflate may be waiting for the second: only both together show
///   whether the data is zlib or raw deflate. → `running`
/// - `running`: inside a member of gzip, a frame of zstd, or the data of a coding without members. → `between` (gzip,
///   zstd), `ended` (deflate, br)
/// - `between`: after a member of gzip (RFC 1952 2.2) or a frame of zstd (RFC 8878 3), where another one may follow. →
///   `running`, `padding` (gzip)
/// - `padding`: in the bytes of value 0 after the last member, which some writers add to fill a block. Only further
///   such bytes may follow.
/// - `ended`: after the data of a coding without members. Nothing may follow.
final class DecodingStage {
    private enum State {
        case start, running, between, padding, ended
    }

    private let coding: ContentCoding
    private let library: InflateLibrary
    private var state = State.start
    private var decompressor: (any Decompressor)?
    private var isLaterMember = false
    private var input = Bytes()
    /// True if the library filled the whole output buffer, so that it may have more output.
    private var mayHoldOutput = false
    private var block = OutputBlock()
    private(set) var consumed = 0
    private(set) var produced = 0
    /// The number of input bytes since the last output.
    private var inputWithoutOutput = 0
    /// The number of consecutive members or frames without content.
    private var emptyMembers = 0

    /// The maximum number of input bytes in a row without output. Ordinary data has at most a few hundred. The limit is
    /// far higher because gzip headers and zstd's skippable frames, which yield no output, may hold long texts and
    /// tables.
    static let maximumInputWithoutOutput = 16 << 20
    /// The maximum number of consecutive members or frames without content. Ordinary files have a few.
    static let emptyMemberLimit = 512

    init(_ coding: ContentCoding, by library: InflateLibrary) {
        self.coding = coding
        self.library = library
    }

    func push(_ chunk: Bytes) {
        input = input.isEmpty ? chunk : input.appending(chunk)
    }

    /// Returns the next piece; nil if all input is used up.
    func next() throws(CodecError) -> Bytes? {
        while try advance() {}
        guard let piece = block.take() else { return nil }
        produced += piece.count
        return piece
    }

    /// True if ``next()`` has nothing left to return without more input. The stage may still hold the first byte of
    /// deflate, which is decoded only together with the second.
    var isDrained: Bool { !mayHoldOutput && (input.isEmpty || state == .start && isUndecided) }

    /// True if the data may end here. Empty data is complete in every coding, because some servers announce a coding
    /// but send no bytes for an empty body.
    var isComplete: Bool {
        switch state {
        case .start: consumed == 0 && input.isEmpty
        case .running: false
        case .between, .padding, .ended: true
        }
    }

    /// Performs one step. Returns false if the piece is full or more input is needed.
    private func advance() throws(CodecError) -> Bool {
        guard mayHoldOutput || !input.isEmpty else { return false }
        switch state {
        case .start: return try begin()
        case .running: return try run()
        case .between: return try startMember()
        case .padding: return try skipPadding()
        case .ended: throw .trailingGarbage
        }
    }

    private func begin() throws(CodecError) -> Bool {
        switch coding {
        case .identity: throw .misuse
        case .gzip: decompressor = try inflater(.gzip)
        case .deflate:
            guard !isUndecided else { return false }
            decompressor = try inflater(looksLikeZlib ? .zlib : .raw)
        case .brotli:
            #if Brotli
            decompressor = try BrotliDecompressor()
            #else
            throw coding.notLinked
            #endif
        case .zstandard:
            #if Zstandard
            decompressor = try ZstandardDecompressor()
            #else
            throw coding.notLinked
            #endif
        }
        state = .running
        return true
    }

    private func inflater(_ format: Inflater.Format) throws(CodecError) -> any Decompressor {
        switch library {
        case .zlib: try Inflater(format)
        #if ISAL
        case .isal: try ISALInflater(format)
        #endif
        }
    }

    /// Tells zlib data from raw deflate data by the zlib header (RFC 1950 2.2): two bytes with method 8 and a window of
    /// at most 32 KiB, which are a multiple of 31 as a big-endian number. Raw data looks like this only if it begins
    /// with a stored block with padding bits set, which no encoder writes.
    private var looksLikeZlib: Bool {
        mayBeZlib && input.count > 1 && (UInt16(input[0]) << 8 | UInt16(input[1])) % 31 == 0
    }

    private var mayBeZlib: Bool {
        coding == .deflate && !input.isEmpty && input[0] & 0x0F == 8 && input[0] >> 4 <= 7
    }

    /// True if one more byte is needed to tell the two forms of deflate apart.
    private var isUndecided: Bool { mayBeZlib && input.count == 1 }

    private func run() throws(CodecError) -> Bool {
        let space = unsafe block.space()
        guard unsafe !space.isEmpty else { return false }
        guard let step = unsafe input.withUnsafeBytes({ unsafe decompressor?.decompress($0, into: space) }) else {
            throw .misuse
        }
        use(step)
        block.advance(by: step.produced)
        try count(step)
        mayHoldOutput = step.produced == space.count
        switch step.outcome {
        case .more:
            return !mayHoldOutput && step.consumed > 0
        case .ended:
            mayHoldOutput = false
            state = coding.hasMembers ? .between : .ended
            if state == .ended { decompressor = nil }
            return true
        case .failed(let error):
            // If data after a member fails within the magic number, the data is foreign and not a damaged member.
            let isForeign = isLaterMember && (decompressor?.totalConsumed ?? 0) <= coding.magicLength
            throw isForeign ? .trailingGarbage : error
        }
    }

    /// Refuses endless data without content: a peer could keep the decoder busy with such data.
    private func count(_ step: DecompressionStep) throws(CodecError) {
        if step.produced > 0 {
            (inputWithoutOutput, emptyMembers) = (0, 0)
            return
        }
        try countWithoutOutput(step.consumed)
        guard case .ended = step.outcome else { return }
        emptyMembers += 1
        guard emptyMembers <= Self.emptyMemberLimit else {
            throw .corrupt(reason: "more than \(Self.emptyMemberLimit) members in a row have no content")
        }
    }

    private func countWithoutOutput(_ count: Int) throws(CodecError) {
        inputWithoutOutput = inputWithoutOutput.addingSaturated(count)
        guard inputWithoutOutput <= Self.maximumInputWithoutOutput else {
            throw .corrupt(reason: "more than \(Self.maximumInputWithoutOutput) bytes in a row yield no content")
        }
    }

    private func startMember() throws(CodecError) -> Bool {
        if coding != .gzip || input[0] == 0x1F {
            decompressor?.restart()
            isLaterMember = true
            state = .running
        } else {
            guard input[0] == 0 else { throw .trailingGarbage }
            state = .padding
            decompressor = nil
        }
        return true
    }

    private func skipPadding() throws(CodecError) -> Bool {
        guard input.allSatisfy({ $0 == 0 }) else { throw .trailingGarbage }
        try countWithoutOutput(input.count)
        use(input.count)
        return false
    }

    private func use(_ step: DecompressionStep) {
        use(step.consumed)
        guard !step.unread.isEmpty else { return }
        consumed -= step.unread.count
        input = step.unread.appending(input)
    }

    private func use(_ count: Int) {
        consumed += count
        // An empty slice does not retain memory, so the next read can reuse the memory of a used-up chunk.
        input = input.slice(count..<input.count)
    }
}
