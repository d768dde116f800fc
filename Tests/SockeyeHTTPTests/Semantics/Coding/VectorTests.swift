import SockeyeCore
import SockeyeHTTP
import Testing

/// The cases of content codings, decoded without a connection.
@Suite struct VectorTests {
    @Test("the decoder gives the expected body however the input is cut", arguments: CodingVector.all)
    func cutting(vector: CodingVector) throws {
        let coded = vector.coded
        // Byte by byte; a large body only at both ends, and in pieces of 97 bytes between them.
        let (start, end) = (min(coded.count, 2048), max(coded.count - 64, min(coded.count, 2048)))
        let cut =
            coded.slice(0..<start).inChunks(of: 1) + coded.slice(start..<end).inChunks(of: 97)
            + coded.slice(end..<coded.count).inChunks(of: 1)
        let ways: [[Bytes]] = [[coded], coded.halved(), cut]
        let outcomes = ways.map { chunks in
            Result { () throws(CodecError) in try decode(chunks, ContentCoding.parse([vector.contentEncoding])) }
        }
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0] == outcomes[2])
        switch (vector.expect, outcomes[0]) {
        // An empty input is not zlib data, but it is an empty body in every coding.
        case (.error, .success(let body)) where coded.isEmpty: #expect(body.isEmpty)
        case (.ok, .success(let body)): #expect(vector.matches(body))
        case (.either, .success(let body)): #expect(vector.size == nil || vector.matches(body))
        case (.error, .failure), (.either, .failure): break
        case (.ok, .failure(let error)): Issue.record("fails: \(error)")
        case (.error, .success): Issue.record("no error for an incomplete body")
        }
    }

    @Test("the decoder fails if the data is cut at any index", arguments: CodingVector.all.filter { $0.expect == .ok })
    func truncation(vector: CodingVector) throws {
        let codings = try ContentCoding.parse([vector.contentEncoding])
        let coded = vector.coded
        // Tries every index of a small body; of a large body, the indices near both ends and some between.
        let isNearEnd = { (cut: Int) in cut < 600 || cut > coded.count - 12 || cut % 8191 == 0 }
        let ends = CodingVector.ends[vector.id] ?? []
        for cut in 1..<coded.count where isNearEnd(cut) && !ends.contains(cut) {
            #expect(failure(of: [coded.slice(0..<cut)], codings) == .truncated, "cut at \(cut)")
        }
    }
}
