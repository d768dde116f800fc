package import SockeyeCore

/// The streaming decoder of a body's content codings, in bounded memory (RFC 9110 8.4).
///
/// ```swift
/// decoder.push(chunk)
/// // pieces of at most 64 KiB
/// while let piece = try decoder.next() { … }
/// // … and when the body has ended:
/// try decoder.finish()
/// ```
///
/// The decoded bytes are known to be the whole body only after ``finish()`` has returned. ``finish()`` throws if the
/// coded body was cut anywhere, even in its header or trailer. Bytes of value 0 after the last gzip member are
/// accepted; any other byte after the coded data is an error. A body of no bytes is valid in every coding, because
/// servers name a coding for empty bodies, too. After an error, every later call of a throwing method throws the same
/// error.
// `@unchecked Sendable`: a response body is the only owner of its decoder and is read by one task at a time.
package final class ContentDecoder: @unchecked Sendable {
    private enum State {
        case decoding
        case finished
        case failed(CodecError)
    }

    private let limits: DecodingLimits
    /// In the order of decoding: the first stage gets the bytes of the wire. Empty for a body without a coding.
    private var stages: [DecodingStage]
    private var uncoded = Bytes()
    private var state = State.decoding
    /// The budget of a turn in decoded bytes. A turn is the work between two yields of the task. Producing 2 MiB by
    /// inflating takes a few milliseconds.
    private var turn = TurnBudget(bytes: 2 << 20)
    /// True if the last piece used up the budget. Then the next call of ``step()`` returns ``Step/turnEnded``.
    private var hasSpentTurn = false
    /// The progress of the coding that decoded bytes most recently. If there are several codings, the output of this
    /// coding may be the input of another one. If a limit was exceeded, the progress is that of the coding that
    /// exceeded the limit.
    package private(set) var progress = DecodingProgress()

    /// - Parameter codings: The codings in the order of the Content-Encoding field, which is the order in which they
    ///   were applied. If the list is empty, the decoder returns its input.
    package init(
        _ codings: [ContentCoding], limits: DecodingLimits = .default, inflate library: InflateLibrary = .preferred
    ) {
        self.limits = limits
        stages = codings.reversed().filter { $0 != .identity }.map { DecodingStage($0, by: library) }
    }

    /// Adds the next bytes from the wire. If earlier bytes still wait to be decoded, these and the new bytes are copied
    /// into one buffer. To avoid the copy, push only after ``step()`` has returned `needsInput`, or ``next()`` nil.
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
        /// Decoded bytes, never empty.
        case piece(Bytes)
        case needsInput
        /// The turn's budget is spent: other tasks must run before the next step. If a body has several codings, the
        /// bytes of one read can expand to hundreds of megabytes between the stages without yielding a byte of content.
        case turnEnded
    }

    /// Decodes up to the next piece, or to the end of the turn.
    package func step() throws(CodecError) -> Step {
        switch state {
        case .decoding: try failing { () throws(CodecError) in try turnStep() }
        case .finished: .needsInput
        case .failed(let error): throw error
        }
    }

    /// Returns the next decoded bytes, never empty; nil if more input is needed. Only for input that is in memory: the
    /// call ignores the end of turns and may take long.
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

    /// Ends the body and frees the codecs' memory. Call it after ``next()`` has returned nil.
    ///
    /// - Throws: ``CodecError/truncated`` if the coded data is incomplete; ``CodecError/misuse`` if there is output
    ///   that was not taken.
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

    /// Returns the output of the stage at `index`, fed by the stage before it.
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

    /// Runs `body`; stores its error as the decoder's final state and frees all stages.
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
