import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Files sent to sockets", .timeLimit(.minutes(1)))
struct FileSendingTests {
    private func send(_ text: String, to socket: Int32, at offset: Int, count: Int) throws -> (Int, SystemError) {
        let folder = try TemporaryFolder()
        let file = try SystemFile.open(folder.write(text, to: "f"), for: .reading)
        defer { SystemFile.close(file) }
        let (sent, error) = SystemSocket.send(socket, file: file, at: offset, count: count)
        return (sent, error)
    }

    @Test(
        "a part of a file is sent, from any offset up to its end",
        .needs(.fileSending), arguments: Family.all)
    func parts(family: Family) throws {
        let connection = try Connection(family)
        for (offset, count, expected) in [(0, 6, "salmon"), (2, 3, "lmo"), (4, 100, "on")] {
            #expect(try send("salmon", to: connection.client, at: offset, count: count).0 == expected.utf8.count)
            #expect(try receiveSoon(connection.server) == Array(expected.utf8))
        }
        #expect(try send("salmon", to: connection.client, at: 6, count: 1).0 == 0)
    }

    @Test("sending a file to a peer that has closed fails without a signal", .needs(.fileSending))
    func brokenPipe() throws {
        let connection = try Connection(.unix)
        connection.close(connection.server)
        let (sent, error) = try send("salmon", to: connection.client, at: 0, count: 6)
        #expect(sent < 0 && error == .brokenPipe)
    }

    @Test("sending a file to a full socket would block", .needs(.fileSending))
    func full() throws {
        let connection = try Connection(.unix)
        _ = try fill(connection.client)
        let (sent, error) = try send(
            String(repeating: "x", count: 1 << 20), to: connection.client, at: 0, count: 1 << 20)
        #expect(sent < 0 && error == .wouldBlock)
    }

    @Test("errors of the file and errors of the socket are distinguished")
    func faults() throws {
        let connection = try Connection(.unix)
        let folder = try SystemFile.open("/", for: .folder)
        defer { SystemFile.close(folder) }
        let (sent, error) = SystemSocket.send(connection.client, file: folder, at: 0, count: 1)
        #expect(sent < 0 && SystemSocket.isFault(ofFile: error))
        for error in [SystemError.brokenPipe, .wouldBlock, .connectionReset, .interrupted] {
            #expect(!SystemSocket.isFault(ofFile: error))
        }
    }
}
