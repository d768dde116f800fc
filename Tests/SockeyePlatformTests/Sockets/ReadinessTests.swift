import Glibc
import Synchronization
import Testing

@testable import SockeyePlatform

@Suite("Readiness queue", .timeLimit(.minutes(1)))
struct ReadinessTests {
    @Test("the first wait reports the present state of a descriptor, under its token", arguments: Family.all)
    func presentState(family: Family) throws {
        let connection = try Connection(family)
        #expect(send(connection.client, [1]) == .success(1))
        try Readiness.await(connection.server, \.isReadable)
        let readiness = try Readiness()
        let token = UInt64.max - 7
        try readiness.watch(connection.server, token: token)
        let edges = readiness.edges(milliseconds: 10_000).filter { $0.token == token }
        #expect(edges.contains { $0.isReadable })
        #expect(edges.contains { $0.isWritable })
        #expect(!edges.contains { $0.hasEnded })
    }

    @Test("a queue that is its own wake-up stays open if the limit of descriptors was lowered meanwhile")
    func loweredLimit() throws {
        let connection = try Connection()
        let queue = fcntl(connection.client, F_DUPFD, 200)
        try #require(queue >= 200)
        defer { close(queue) }
        var before = rlimit()
        try unsafe #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before) == 0)
        // Now the queue is within the reserve.
        var lowered = rlimit(rlim_cur: rlim_t(queue) + 1, rlim_max: before.rlim_max)
        try unsafe #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lowered) == 0)
        // EMFILE from another call makes the library read the limit again.
        errno = EMFILE
        _ = DescriptorReserve.admit(-1, for: .file)
        #expect(ReadinessQueue.admit(wakeup: queue, of: queue) == queue)
        #expect(fcntl(queue, F_GETFD) >= 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    }

    @Test("an idle connection is writable, not readable and not ended", arguments: Family.all)
    func idle(family: Family) throws {
        let connection = try Connection(family)
        let readiness = try Readiness()
        try readiness.watch(connection.client, token: 1)
        let edges = readiness.edges(milliseconds: 10_000)
        #expect(edges.contains { $0.isWritable })
        #expect(!edges.contains { $0.isReadable || $0.hasEnded })
    }

    @Test("a state is reported once, and each arrival is a new edge", arguments: Family.all)
    func edges(family: Family) throws {
        let connection = try Connection(family)
        let readiness = try Readiness()
        try readiness.watch(connection.server, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        for round in 0..<3 {
            #expect(send(connection.client, [UInt8(round)]) == .success(1))
            #expect(readiness.until(1) { $0.isReadable }, "nothing was read since the last edge")
            #expect(!readiness.edges().contains { $0.isReadable })
        }
    }

    @Test("new room in a full send buffer is an edge", arguments: Family.all)
    func room(family: Family) throws {
        let connection = try Connection(family)
        let readiness = try Readiness()
        try readiness.watch(connection.client, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        var left = try fill(connection.client)
        while left > 0 { left -= try receiveSoon(connection.server, 1 << 20).count }
        #expect(readiness.until(1) { $0.isWritable })
    }

    @Test("a connection that the peer has closed is reported as readable and ended", arguments: Family.all)
    func end(family: Family) throws {
        let connection = try Connection(family)
        let readiness = try Readiness()
        try readiness.watch(connection.server, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        connection.close(connection.client)
        #expect(readiness.until(1) { $0.hasEnded && $0.isReadable })
    }

    @Test("an end of one direction is reported while the other is open", arguments: Family.all)
    func halfEnd(family: Family) throws {
        let connection = try Connection(family)
        let readiness = try Readiness()
        try readiness.watch(connection.server, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        #expect(SystemSocket.shutdown(connection.client, onlyWriting: true) == nil)
        #expect(readiness.until(1) { $0.hasEnded && $0.isReadable })
        #expect(send(connection.server, [1]) == .success(1))
    }

    @Test("a reset makes both directions ready", arguments: Family.tcp)
    func reset(family: Family) throws {
        let connection = try Connection(family)
        let readiness = try Readiness()
        try readiness.watch(connection.client, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        SystemSocket.resetWhenClosed(connection.server)
        connection.close(connection.server)
        var (isReadable, isWritable) = (false, false)
        // The two directions may be two edges.
        #expect(
            readiness.until(1) { edge in
                isReadable = isReadable || edge.isReadable
                isWritable = isWritable || edge.isWritable
                return edge.hasEnded && isReadable && isWritable
            })
    }

    @Test("a listener is readable if a connection waits", arguments: Family.all)
    func listener(family: Family) throws {
        let listening = try Listening(family)
        let readiness = try Readiness()
        try readiness.watch(listening.number, token: 1)
        _ = readiness.edges()
        let client = SystemSocket.open(for: listening.address)
        defer { SystemSocket.close(client) }
        _ = SystemSocket.connect(client, to: listening.address)
        #expect(readiness.until(1) { $0.isReadable })
        SystemSocket.close(try listening.accept())
    }

    @Test("a refused connection is reported as ended and writable", arguments: Family.tcp)
    func refused(family: Family) throws {
        let address = try Listening(family).address
        let client = SystemSocket.open(for: address)
        defer { SystemSocket.close(client) }
        guard SystemSocket.connect(client, to: address) == .inProgress else { return }
        let readiness = try Readiness()
        try readiness.watch(client, token: 1)
        #expect(readiness.until(1) { $0.hasEnded && $0.isWritable })
    }

    @Test("a closed descriptor has no more edges")
    func closed() throws {
        let connection = try Connection()
        let readiness = try Readiness()
        try readiness.watch(connection.server, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        connection.close(connection.server)
        connection.close(connection.client)
        #expect(readiness.edges().isEmpty)
    }

    @Test("each edge has the token of its descriptor")
    func tokens() throws {
        let connections = try (0..<4).map { _ in try Connection(.unix) }
        let readiness = try Readiness()
        for (index, connection) in connections.enumerated() {
            try readiness.watch(connection.server, token: UInt64(index + 1))
        }
        var open = Set<UInt64>(1...4)
        while !open.isEmpty { for edge in readiness.edges(milliseconds: 10_000) { open.remove(edge.token) } }
        #expect(send(connections[2].client, [1]) == .success(1))
        #expect(Set(readiness.edges(milliseconds: 10_000).map { $0.token }) == [3])
    }

    @Test("edges beyond the capacity of one wait come with the next waits")
    func capacity() throws {
        let connections = try (0..<10).map { _ in try Connection(.unix) }
        let readiness = try Readiness(capacity: 3)
        for (index, connection) in connections.enumerated() {
            try readiness.watch(connection.server, token: UInt64(index + 1))
        }
        var seen = Set<UInt64>()
        while seen.count < 10 {
            let edges = readiness.edges(milliseconds: 10_000)
            #expect((1...3).contains(edges.count))
            seen.formUnion(edges.map(\.token))
            if edges.isEmpty { break }
        }
        #expect(seen == Set(1...10))
    }

    @Test("a descriptor that is not open cannot be watched")
    func badDescriptor() throws {
        let readiness = try Readiness()
        #expect(readiness.queue.watch(-1, token: 1) == .badDescriptor)
    }

    @Test("a wait without edges ends at its time-out, and not before")
    func time() throws {
        let readiness = try Readiness()
        let start = SystemClock.monotonicNanoseconds
        #expect(readiness.edges(milliseconds: 0).isEmpty)
        #expect(readiness.edges(milliseconds: 20).isEmpty)
        #expect(SystemClock.monotonicNanoseconds - start >= 19_000_000)
    }

    @Test("if two wake-ups precede a wait, the wait ends and reports only wake-ups")
    func wakeBefore() throws {
        let readiness = try Readiness()
        readiness.queue.wake()
        readiness.queue.wake()
        let edges = readiness.edges(milliseconds: 60_000)
        #expect(!edges.isEmpty && edges.allSatisfy { $0.token == 0 })
    }

    @Test("each wake-up by another thread ends a wait")
    func wakeDuring() throws {
        let readiness = try Readiness()
        let queue = readiness.queue
        let woken = BinarySemaphore()
        let rounds = 50
        let error = SystemThread.start(named: "waker") {
            for _ in 0..<rounds {
                queue.wake()
                guard woken.wait(milliseconds: 60_000) else { return }
            }
        }
        #expect(error == nil)
        for _ in 0..<rounds {
            #expect(readiness.until(0) { _ in true })
            woken.signal()
        }
    }

    @Test("each edge is given to only one of two waiting threads")
    func threads() throws {
        let readiness = try Readiness()
        let queue = readiness.queue
        let connection = try Connection(.unix)
        try readiness.watch(connection.server, token: 1)
        _ = readiness.edges(milliseconds: 10_000)
        let taken = Mutex(0)
        let ended = [BinarySemaphore(), BinarySemaphore()]
        let rounds = 20
        let isOver = BinarySemaphore()
        for semaphore in ended {
            let error = SystemThread.start(named: "waiter") {
                let events = ReadinessEvents(capacity: 4)
                while taken.withLock({ $0 }) < rounds {
                    for index in 0..<max(0, queue.wait(events, milliseconds: 10)) where events[index].isReadable {
                        taken.withLock { $0 += 1 }
                        isOver.signal()
                    }
                }
                semaphore.signal()
            }
            #expect(error == nil)
        }
        for round in 1...rounds {
            #expect(send(connection.client, [1]) == .success(1))
            #expect(isOver.wait(milliseconds: 30_000))
            #expect(taken.withLock { $0 } == round)
        }
        for semaphore in ended { #expect(semaphore.wait(milliseconds: 30_000)) }
    }
}
