package import SockeyeCore

/// The streaming encoder of one content coding, in bounded memory.
///
/// ```swift
/// encoder.push(chunk)
/// // pieces of at most 64 KiB; often no piece, because codecs buffer
/// while let piece = try encoder.next() { … }
/// // … and when the body has ended:
/// encoder.finish()
/// // the rest, with the trailer
/// while let piece = try encoder.next() { … }
/// ```
///
/// `deflate` is written in the zlib format, as HTTP defines the name (RFC 9110 8.4.1.2). Except with `identity`, an
/// empty body encodes to a container without content, not to zero bytes.
// `@unchecked Sendable`: a request body owns its encoder and is written by one task at a time; no other object refers
// to the encoder.
package final class ContentEncoder: @unchecked Sendable {
    private var compressor: (any Compressor)?
    private let isIdentity: Bool
    private var input = Bytes()
    private var isLast = false
    /// True if the compression library filled the whole output buffer, so that it may have more output.
    private var mayHoldOutput = false
    private var failure: CodecError?
    private var block = OutputBlock()

    /// - Parameter level: A level in ``ContentCoding/levels``; nil for ``ContentCoding/defaultLevel``.
    /// - Throws: ``CodecError/misuse`` for a level outside that range, ``CodecError/notLinked(_:trait:)``,
    ///   ``CodecError/outOfMemory``.
    package init(_ coding: ContentCoding, level: Int? = nil) throws(CodecError) {
        let level = level ?? coding.defaultLevel
        guard coding.levels.contains(level) else { throw .misuse }
        isIdentity = coding == .identity
        compressor = try coding.compressor(level: level)
    }

    /// Adds the next bytes of the body. If ``next()`` has not returned nil since the last push, the bytes are copied.
    /// A push after ``finish()`` is an error, which ``next()`` throws.
    package func push(_ chunk: Bytes) {
        guard !chunk.isEmpty else { return }
        if isLast { failure = .misuse }
        input = input.isEmpty ? chunk : input.appending(chunk)
    }

    /// Ends the input; ``next()`` then returns the rest of the output. Idempotent.
    package func finish() {
        isLast = true
    }

    /// Returns the next encoded bytes, never empty. Nil if more input is needed, or after ``finish()`` if all output
    /// was returned. The memory of the compression library is freed with the last piece.
    package func next() throws(CodecError) -> Bytes? {
        if let failure { throw failure }
        if isIdentity {
            defer { input = Bytes() }
            return input.isEmpty ? nil : input
        }
        while try advance() {}
        let piece = block.take()
        if compressor == nil { block.release() }
        return piece
    }

    /// Performs one step. Returns false if the piece is full, the output is complete, or more input is needed.
    private func advance() throws(CodecError) -> Bool {
        guard compressor != nil, mayHoldOutput || !input.isEmpty || isLast else { return false }
        let space = unsafe block.space()
        guard unsafe !space.isEmpty else { return false }
        let step = try unsafe input.withUnsafeBytes { (bytes) throws(CodecError) in
            try unsafe compressor?.compress(bytes, into: space, isLast: isLast)
        }
        guard let step else { return false }
        input = input.slice(step.consumed..<input.count)
        block.advance(by: step.produced)
        mayHoldOutput = step.produced == space.count
        if step.hasEnded {
            compressor = nil
            return false
        }
        return !mayHoldOutput && (step.consumed > 0 || isLast)
    }
}

extension ContentEncoder {
    /// Encodes a body in memory, so that its coded length is known before the head is sent.
    package static func encode(_ body: Bytes, as coding: ContentCoding, level: Int? = nil) throws(CodecError) -> Bytes {
        let encoder = try ContentEncoder(coding, level: level)
        encoder.push(body)
        encoder.finish()
        var pieces: [Bytes] = []
        while let piece = try encoder.next() { pieces.append(piece) }
        return pieces.count == 1 ? pieces[0].compacted() : Bytes(joining: pieces)
    }
}
