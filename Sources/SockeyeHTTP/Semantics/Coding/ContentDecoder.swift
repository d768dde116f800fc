package import SockeyeCore

/// The streaming decoder of a body's content codings, in bounded memory (RFC 9110 8.4).
///
/// ```swift
/// decoder.push(chunk)
/// while let piece = try decoder.next() { … }   // pieces of at most 64 KiB
/// // … and when the body has ended:
/// try decoder.finish()
/// ```
///
/// Only after ``finish()`` has returned are the decoded bytes known to be the whole body: a coded body that is cut
/// anywhere, its header and trailer included, fails there. Zero bytes after the last gzip member are tolerated; any
/// other byte after the coded data is an error. A body of no bytes is an empty body, whatever its coding: servers name
/// it for what they did not code. After an error, every later call throws the same error again.
// `@unchecked Sendable`: a response body owns its decoder and is read by one task at a time; nothing else refers to it.
package final class ContentDecoder: @unchecked Sendable {
    private enum State {
        case decoding
        case finished
        case failed(CodecError)
    }

    private let limits: DecodingLimits
    /// In the order of decoding: the first one sees the bytes of the wire. Empty for a body without a coding.
    private var stages: [DecodingStage]
    private var uncoded = Bytes()
    private var state = State.decoding
    /// The decoded bytes of a turn: a few milliseconds of inflating.
    private var turn = TurnBudget(bytes: 2 << 20)
    private var hasSpentTurn = false
    /// How far the coding that gave the last piece has come, the piece that passed a limit included.
    package private(set) var progress = DecodingProgress()

    /// - Parameter codings: In the order of the Content-Encoding field, the first one applied first; with none, bytes
    ///   come out as they are.
    package init(
        _ codings: [ContentCoding], limits: DecodingLimits = .default, inflate library: InflateLibrary = .preferred
    ) {
        self.limits = limits
        stages = codings.reversed().filter { $0 != .identity }.map { DecodingStage($0, by: library) }
    }

    /// Gives the next bytes of the wire. Cheapest when ``next()`` has returned nil before.
    package func push(_ chunk: Bytes) {
        guard !chunk.isEmpty else { return }
        switch state {
        case .decoding:
            if let first = stages.first {
                first.push(chunk)
            } else {
                uncoded = uncoded.isEmpty ? chunk : uncoded.appending(chunk)
            }
        case .finished: state = .failed(.misuse)
        case .failed: break
        }
    }

    /// The outcome of ``step()``.
    package enum Step: Sendable {
        /// Decoded bytes, never none.
        case piece(Bytes)
        case needsInput
        /// So much was decoded that other tasks have to run before the next step. Codings upon each other may decode hundreds of
        /// megabytes of one read without a byte of content.
        case turnEnded
    }

    /// Decodes up to the next piece or the end of the turn.
    package func step() throws(CodecError) -> Step {
        switch state {
        case .decoding: try failing { () throws(CodecError) in try turnStep() }
        case .finished: .needsInput
        case .failed(let error): throw error
        }
    }

    /// The next decoded bytes, never an empty piece; nil when more input is needed. For input in memory: the call may take long.
    package func next() throws(CodecError) -> Bytes? {
        while true {
            switch try step() {
            case .piece(let piece): return piece
            case .needsInput: return nil
            case .turnEnded: continue
            }
        }
    }

    private func turnStep() throws(CodecError) -> Step {
        if hasSpentTurn {
            hasSpentTurn = false
            return .turnEnded
        }
        let step = try step(from: stages.count - 1)
        if case .piece(let piece) = step { hasSpentTurn = turn.spend(piece.count) }
        return step
    }

    /// Ends the body and frees the codecs' memory at once. Call it after ``next()`` has returned nil.
    ///
    /// - Throws: ``CodecError/truncated`` when the coded data is not complete; ``CodecError/misuse`` when there is
    ///   output that has not been taken.
    package func finish() throws(CodecError) {
        switch state {
        case .decoding:
            try failing { () throws(CodecError) in
                guard uncoded.isEmpty, stages.allSatisfy(\.isDrained) else { throw .misuse }
                guard stages.allSatisfy(\.isComplete) else { throw .truncated }
            }
            state = .finished
            stages = []
        case .finished: break
        case .failed(let error): throw error
        }
    }

    /// The output of the stage at `index`, which is fed by the one before it as need be.
    private func step(from index: Int) throws(CodecError) -> Step {
        guard index >= 0 else {
            defer { uncoded = Bytes() }
            return uncoded.isEmpty ? .needsInput : .piece(uncoded)
        }
        let stage = stages[index]
        while true {
            if let piece = try stage.next() {
                progress = DecodingProgress(decoded: stage.produced, coded: stages[0].consumed)
                try limits.check(progress, codings: stages.count)
                return .piece(piece)
            }
            guard index > 0 else { return .needsInput }
            let step = try step(from: index - 1)
            guard case .piece(let more) = step else { return step }
            stage.push(more)
            if turn.spend(more.count) { return .turnEnded }
        }
    }

    /// Keeps the first error and frees everything when it is thrown.
    private func failing<Result>(_ body: () throws(CodecError) -> Result) throws(CodecError) -> Result {
        do {
            return try body()
        } catch {
            state = .failed(error)
            stages = []
            throw error
        }
    }
}
