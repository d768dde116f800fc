import SockeyePlatform
import Testing

@Suite("Transfers on sockets", .timeLimit(.minutes(1)))
struct TransferTests {
    @Test("bytes arrive at the other end, in both directions", arguments: Family.all)
    func bothWays(family: Family) throws {
        let connection = try Connection(family)
        #expect(send(connection.client, [1, 2, 3]) == .success(3))
        #expect(try receiveSoon(connection.server) == [1, 2, 3])
        #expect(send(connection.server, [4]) == .success(1))
        #expect(try receiveSoon(connection.client) == [4])
    }

    @Test("a receive without bytes would block, at both ends", arguments: Family.all)
    func wouldBlock(family: Family) throws {
        let connection = try Connection(family)
        #expect(receive(connection.client) == .failure(.wouldBlock))
        #expect(receive(connection.server) == .failure(.wouldBlock), "an accepted socket is non-blocking too")
    }

    @Test("a receive takes no more than it has room for", arguments: Family.all)
    func room(family: Family) throws {
        let connection = try Connection(family)
        #expect(send(connection.client, [1, 2, 3]) == .success(3))
        #expect(try receiveSoon(connection.server, 2) == [1, 2])
        #expect(receive(connection.server, 2) == .success([3]))
    }

    @Test("the end comes after the last bytes, and again with each receive", arguments: Family.all)
    func end(family: Family) throws {
        let connection = try Connection(family)
        #expect(send(connection.client, [9]) == .success(1))
        connection.close(connection.client)
        #expect(try receiveSoon(connection.server) == [9])
        #expect(try receiveSoon(connection.server) == [])
        #expect(receive(connection.server) == .success([]))
    }

    @Test("an end of the writing direction leaves the other direction open", arguments: Family.all)
    func halfClose(family: Family) throws {
        let connection = try Connection(family)
        #expect(SystemSocket.shutdown(connection.client, onlyWriting: true) == nil)
        #expect(try receiveSoon(connection.server) == [])
        #expect(send(connection.server, [5]) == .success(1))
        #expect(try receiveSoon(connection.client) == [5])
        #expect(send(connection.client, [1]) == .failure(.brokenPipe))
    }

    @Test("a shutdown of both directions ends both", arguments: Family.all)
    func shutdown(family: Family) throws {
        let connection = try Connection(family)
        #expect(SystemSocket.shutdown(connection.client, onlyWriting: false) == nil)
        #expect(receive(connection.client) == .success([]))
        #expect(try receiveSoon(connection.server) == [])
    }

    @Test("a reset is reported to one receive, and the next receive reports the end", arguments: Family.tcp)
    func reset(family: Family) throws {
        let connection = try Connection(family)
        try connection.reset(connection.server)
        #expect(receive(connection.client) == .failure(.connectionReset))
        #expect(receive(connection.client) == .success([]))
    }

    @Test("a send to a peer that is gone fails, and no signal ends the process", arguments: Family.all)
    func brokenPipe(family: Family) throws {
        let connection = try Connection(family)
        connection.close(connection.server)
        var failure: SystemError?
        for _ in 0..<100 where failure == nil {
            if case .failure(let error) = send(connection.client, [1]) { failure = error }
            // The answer to the first bytes may take a moment.
            SystemThread.yield()
        }
        #expect(failure == .brokenPipe || failure == .connectionReset)
    }

    @Test("vectors arrive in their order, empty ones included", arguments: Family.all)
    func vectors(family: Family) throws {
        let connection = try Connection(family)
        let parts: [[UInt8]] = [[1, 2], [], [3], [4, 5, 6]]
        let count = unsafe parts[0].withUnsafeBytes { first in
            unsafe parts[2].withUnsafeBytes { third in
                unsafe parts[3].withUnsafeBytes { last in
                    let empty = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
                    let vectors = unsafe [IOVector(first), IOVector(empty), IOVector(third), IOVector(last)]
                    return unsafe vectors.withUnsafeBufferPointer {
                        unsafe SystemSocket.send(connection.client, vectors: $0)
                    }
                }
            }
        }
        #expect(count == 6)
        #expect(try receiveSoon(connection.server) == [1, 2, 3, 4, 5, 6])
    }

    @Test("vectors to a peer that is gone fail without a signal")
    func brokenVectors() throws {
        let connection = try Connection(.unix)
        connection.close(connection.server)
        let count = unsafe [UInt8](repeating: 0, count: 4).withUnsafeBytes { bytes in
            let vectors = unsafe [IOVector(bytes)]
            return unsafe vectors.withUnsafeBufferPointer { unsafe SystemSocket.send(connection.client, vectors: $0) }
        }
        #expect(count < 0 && SystemError.last == .brokenPipe)
    }

    @Test("a vector describes the bytes that it was made from")
    func vector() {
        unsafe [UInt8](1...5).withUnsafeBytes { bytes in
            let vector = unsafe IOVector(bytes)
            #expect(unsafe vector.bytes.baseAddress == bytes.baseAddress && vector.bytes.count == 5)
        }
    }

    @Test("a send would block if the buffers are full, and continues after the peer has read", arguments: Family.all)
    func full(family: Family) throws {
        let connection = try Connection(family)
        var left = try fill(connection.client)
        #expect(left > 0)
        while left > 0 { left -= try receiveSoon(connection.server, 1 << 20).count }
        try Readiness.await(connection.client, \.isWritable)
        #expect(send(connection.client, [1]) == .success(1))
    }

    @Test("a socket with a byte or an end has something to read, and the check consumes nothing", arguments: Family.all)
    func nothingToRead(family: Family) throws {
        let connection = try Connection(family)
        #expect(SystemSocket.hasNothingToRead(connection.server))
        #expect(send(connection.client, [8]) == .success(1))
        try Readiness.await(connection.server, \.isReadable)
        #expect(!SystemSocket.hasNothingToRead(connection.server) && !SystemSocket.hasNothingToRead(connection.server))
        #expect(receive(connection.server) == .success([8]))
        #expect(SystemSocket.hasNothingToRead(connection.server))
        connection.close(connection.client)
        try Readiness.await(connection.server, \.hasEnded)
        #expect(!SystemSocket.hasNothingToRead(connection.server))
    }

    @Test("a closed descriptor is refused")
    func closed() throws {
        let connection = try Connection()
        connection.close(connection.client)
        #expect(receive(connection.client) == .failure(.badDescriptor))
        #expect(send(connection.client, [1]) == .failure(.badDescriptor))
    }
}
