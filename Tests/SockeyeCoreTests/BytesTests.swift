import SockeyeCore
import Testing

@Suite("Bytes")
struct BytesTests {
    @Test("bytes equal the value from which they were made, whatever its type")
    func sources() {
        #expect(Array(Bytes([1, 2, 3] as [UInt8])) == [1, 2, 3])
        #expect(Array(Bytes("é")) == [0xC3, 0xA9])
        #expect(Array(Bytes(stride(from: UInt8(0), to: 6, by: 2))) == [0, 2, 4])
        #expect(Array([7, 8] as Bytes) == [7, 8])
        #expect(Bytes().isEmpty)
        #expect(Bytes([UInt8]()).isEmpty)
    }

    @Test("a slice shares the memory, and its indices start at 0")
    func slicing() {
        let bytes = Bytes("hello, world")
        let slice = bytes.slice(7..<12)
        #expect(slice.startIndex == 0)
        #expect(slice.count == 5)
        #expect(String(decoding: slice, as: UTF8.self) == "world")
        #expect(slice[0] == UInt8(ascii: "w"))
        #expect(slice.slice(5..<5).isEmpty)
        #expect(String(decoding: slice.slice(1..<3), as: UTF8.self) == "or")
        #expect(slice.compacted() == slice)
    }

    @Test("equality and hash depend on the content only, not on its place in memory")
    func equality() {
        let one = Bytes("xabc").slice(1..<4)
        let other = Bytes("abcx").slice(0..<3)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != Bytes("abd"))
        #expect(one != Bytes("ab"))
        #expect(Bytes() == Bytes([UInt8]()))
    }

    @Test("spans, pointers and contiguous storage give the same bytes")
    func access() {
        let bytes = Bytes("0123456789").slice(3..<6)
        let span = bytes.span
        #expect(span.count == 3)
        #expect(span[0] == UInt8(ascii: "3"))
        #expect(unsafe bytes.withUnsafeBytes { unsafe Array($0) } == Array("345".utf8))
        #expect(unsafe bytes.withContiguousStorageIfAvailable { unsafe Array($0) } == Array("345".utf8))
    }

    @Test("bytes are copied up to the room of the target, and the rest remains", arguments: [0, 1, 3, 5, 8])
    func copying(room: Int) {
        let whole: [UInt8] = [1, 2, 3, 4, 5]
        let bytes = Bytes(whole)
        #expect(Array(bytes) == whole && Array(bytes.slice(1..<4)) == [2, 3, 4])
        var target = [UInt8](repeating: 0, count: room)
        let rest = unsafe target.withUnsafeMutableBufferPointer { buffer in
            let (rest, copied) = unsafe bytes._copyContents(initializing: buffer)
            #expect(copied == min(room, 5))
            return Array(IteratorSequence(rest))
        }
        #expect(target.prefix(5) + rest == whole && target.dropFirst(5).allSatisfy { $0 == 0 })
    }

    @Test("the description gives the number of bytes, and not their values")
    func description() {
        #expect("\(Bytes("secret"))" == "6 bytes")
    }
}

@Suite("Joining bytes")
struct BytesAccumulatorTests {
    @Test("an accumulator joins chunks in order, whatever size was expected", arguments: [nil, 0, 3, 10_000_000])
    func joins(expected: Int?) {
        var accumulator = BytesAccumulator(expected: expected)
        var whole: [UInt8] = []
        for size in [0, 1, 5, 0, 300, 70_000, 2] {
            let chunk = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
            accumulator.append(Bytes(chunk))
            whole += chunk
            #expect(accumulator.count == whole.count)
        }
        #expect(Array(accumulator.finish()) == whole)
        #expect(accumulator.finish().isEmpty)
    }

    @Test("an accumulator returns a single chunk without a copy")
    func single() {
        let chunk = Bytes("only")
        var accumulator = BytesAccumulator(expected: 4)
        accumulator.append(chunk)
        let joined = accumulator.finish()
        unsafe #expect(joined.withUnsafeBytes { $0.baseAddress } == chunk.withUnsafeBytes { $0.baseAddress })
    }
}
