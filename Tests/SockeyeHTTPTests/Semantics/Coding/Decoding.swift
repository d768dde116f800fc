import SockeyeCore
import SockeyeHTTP
import Testing

/// Decodes a body that arrives in the given chunks, by each linked library. All must agree on the body or the error.
func decode(
    _ chunks: some Sequence<Bytes>,
    _ codings: [ContentCoding],
    limits: DecodingLimits = .default
) throws(CodecError) -> Bytes {
    let chunks = Array(chunks)
    let results = InflateLibrary.allCases.map { library in
        Result { () throws(CodecError) in try decode(chunks, codings, limits: limits, by: library) }
    }
    for result in results.dropFirst() { #expect(isAlike(result, results[0]), "\(result) and \(results[0])") }
    return try results[results.count - 1].get()
}

/// Returns true for the same body or the same kind of error, because the texts of the libraries differ.
private func isAlike(_ one: Result<Bytes, CodecError>, _ other: Result<Bytes, CodecError>) -> Bool {
    if case .failure(.corrupt) = one, case .failure(.corrupt) = other { return true }
    return one == other
}

private func decode(
    _ chunks: [Bytes], _ codings: [ContentCoding], limits: DecodingLimits, by library: InflateLibrary
) throws(CodecError) -> Bytes {
    let decoder = ContentDecoder(codings, limits: limits, inflate: library)
    var output: [UInt8] = []
    for chunk in chunks {
        decoder.push(chunk)
        while let piece = try decoder.next() { output.append(contentsOf: piece) }
    }
    try decoder.finish()
    return Bytes(output)
}

/// Returns the error of decoding, or nil if it succeeded.
func failure(
    of chunks: some Sequence<Bytes>,
    _ codings: [ContentCoding],
    limits: DecodingLimits = .default
) -> CodecError? {
    do {
        _ = try decode(chunks, codings, limits: limits)
        return nil
    } catch {
        return error
    }
}

func encode(_ body: Bytes, _ codings: [ContentCoding], level: Int = 6) throws -> Bytes {
    var coded = body
    for coding in codings { coded = try ContentEncoder.encode(coded, as: coding, level: level) }
    return coded
}

/// Returns raw deflate data: the zlib form without its header of two bytes and its checksum of four.
func rawDeflate(_ body: Bytes) throws -> Bytes {
    let coded = try ContentEncoder.encode(body, as: .deflate)
    return coded.slice(2..<coded.count - 4)
}

extension Bytes {
    static func + (left: Bytes, right: Bytes) -> Bytes {
        Bytes(Array(left) + Array(right))
    }

    func inChunks(of size: Int) -> [Bytes] {
        stride(from: 0, to: count, by: size).map { slice($0..<Swift.min($0 + size, count)) }
    }

    func halved() -> [Bytes] {
        [slice(0..<count / 2), slice(count / 2..<count)]
    }
}

/// Repeatable random numbers (SplitMix64).
struct BodyGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns text with repetitions, or noise, of at most `limit` bytes.
    mutating func body(upTo limit: Int) -> Bytes {
        let count = Int.random(in: 0...limit, using: &self)
        let alphabet = UInt8.random(in: 1...255, using: &self)
        return Bytes((0..<count).map { _ in UInt8.random(in: 0...alphabet, using: &self) })
    }
}
