import SockeyePlatform
import SockeyeTestSupport
import Testing

/// The families of addresses over which the tests connect.
enum Family: CaseIterable {
    case ipv4, ipv6, unix

    /// The families whose sockets are TCP sockets.
    static var tcp: [Family] { all.filter { $0 != .unix } }

    /// The families of this machine; IPv6 may be switched off.
    static let all: [Family] = allCases.filter { family in
        guard family == .ipv6 else { return true }
        let address = SystemAddress.ipv6(0, UInt64(1).bigEndian, port: 0, scope: 0)
        let socket = SystemSocket.open(for: address)
        guard socket >= 0 else { return false }
        defer { SystemSocket.close(socket) }
        return SystemSocket.bind(socket, to: address) == nil
    }

    /// An address to listen at.
    func address(in folder: TemporaryFolder) -> SystemAddress {
        switch self {
        case .ipv4: .ipv4(UInt32(0x7F00_0001).bigEndian, port: 0)
        case .ipv6: .ipv6(0, UInt64(1).bigEndian, port: 0, scope: 0)
        case .unix: .unix(folder("s"))
        }
    }
}

/// A listening socket, closed with the value.
final class Listening {
    let number: Int32
    let address: SystemAddress
    private let folder: TemporaryFolder

    init(_ family: Family) throws {
        folder = try TemporaryFolder()
        let wanted = family.address(in: folder)
        number = SystemSocket.open(for: wanted)
        guard number >= 0 else { throw SystemError.last }
        if let error = SystemSocket.bind(number, to: wanted) ?? SystemSocket.listen(number, backlog: 8) { throw error }
        address = try #require(SystemSocket.localAddress(number))
    }

    deinit {
        SystemSocket.close(number)
    }

    /// Waits for a connection and accepts it.
    func accept() throws -> Int32 {
        while true {
            let socket = SystemSocket.accept(number)
            if socket >= 0 { return socket }
            guard SystemError.last == .wouldBlock else { throw SystemError.last }
            try Readiness.await(number, \.isReadable)
        }
    }
}

/// Both ends of a connection, closed with the value unless they are closed before.
final class Connection {
    let client: Int32
    let server: Int32
    private var open: Set<Int32>

    init(_ family: Family = .ipv4) throws {
        let listening = try Listening(family)
        client = SystemSocket.open(for: listening.address)
        guard client >= 0 else { throw SystemError.last }
        if let error = SystemSocket.connect(client, to: listening.address), error != .inProgress { throw error }
        server = try listening.accept()
        open = [client, server]
        try Readiness.await(client, \.isWritable)
    }

    deinit {
        for socket in open { SystemSocket.close(socket) }
    }

    func close(_ socket: Int32) {
        if open.remove(socket) != nil { SystemSocket.close(socket) }
    }

    /// Closes one end with a reset, and waits until the other end knows.
    func reset(_ socket: Int32) throws {
        SystemSocket.resetWhenClosed(socket)
        close(socket)
        try Readiness.await(socket == client ? server : client, \.hasEnded)
    }
}

/// Makes one send of some bytes; returns their count or the error.
func send(_ socket: Int32, _ bytes: [UInt8]) -> Result<Int, SystemError> {
    let count = unsafe bytes.withUnsafeBytes { unsafe SystemSocket.send(socket, $0) }
    return count < 0 ? .failure(.last) : .success(count)
}

/// Makes one receive; returns the bytes (empty at the end of the stream) or the error.
func receive(_ socket: Int32, _ limit: Int = 64) -> Result<[UInt8], SystemError> {
    var room = [UInt8](repeating: 0, count: limit)
    let count = unsafe room.withUnsafeMutableBytes { unsafe SystemSocket.receive(socket, into: $0) }
    return count < 0 ? .failure(.last) : .success(Array(room.prefix(count)))
}

/// Receives some bytes, and waits for them if necessary.
func receiveSoon(_ socket: Int32, _ limit: Int = 64) throws -> [UInt8] {
    while true {
        switch receive(socket, limit) {
        case .success(let bytes): return bytes
        case .failure(.wouldBlock): try Readiness.await(socket, \.isReadable)
        case .failure(let error): throw error
        }
    }
}

/// Sends until the buffers are full; returns the number of bytes.
func fill(_ socket: Int32) throws -> Int {
    let block = [UInt8](repeating: 7, count: 64 << 10)
    var sent = 0
    while true {
        switch send(socket, block) {
        case .success(let count): sent += count
        case .failure(.wouldBlock): return sent
        case .failure(let error): throw error
        }
    }
}
