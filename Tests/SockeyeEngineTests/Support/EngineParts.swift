import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

/// Parts of the engine for tests of one of its types.
enum EngineParts {
    private struct Key: PoolMachineKey {
        var owner: Int { 0 }
    }

    /// Makes the decisions about a request that do not depend on its connection.
    static func prepared(
        _ request: OutgoingRequest, configuration: EngineConfiguration = EngineConfiguration(),
        time: TimeSource = .system
    ) throws -> PreparedRequest {
        try PreparedRequest(request.parts, configuration: SharedConfiguration(configuration), time: time)
    }

    static func connection(_ stream: any ByteStream) throws -> OriginConnection {
        OriginConnection(stream: stream, tls: nil, remoteAddress: nil, poller: try EventPoller.shared())
    }

    /// Leases the connection from a pool that has no other connection.
    static func lease(_ connection: OriginConnection, isReused: Bool = false) throws -> ConnectionPool.Lease {
        var machine = PoolMachine<Key, OriginConnection>(limits: PoolLimits())
        guard case .wait(_, let dial?, _) = machine.lease(Key(), fresh: false, now: .zero),
            case .serve(_, let lease) = machine.dialSucceeded(dial.id, connection: connection, now: .zero)
        else { throw LeaseRejection.shutDown }
        guard isReused else { return lease }
        _ = machine.release(lease.id, reusable: true, keepAliveTimeout: nil, remainingUses: nil, now: .zero)
        guard case .use(let again, _) = machine.lease(Key(), fresh: false, now: .zero) else {
            throw LeaseRejection.shutDown
        }
        return again
    }

    /// Parses a head.
    static func head(_ text: String) throws -> ResponseHead {
        var parser = ResponseHeadParser()
        let bytes = Array(text.utf8)
        let summary = try #require(try parser.parse(bytes.span))
        return ResponseHead(bytes: Bytes(bytes), summary: summary)
    }
}

/// A machine that has received a complete response, for its verdict on the connection.
extension ExchangeMachine {
    func afterResponse(_ head: String = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") throws -> ConnectionVerdict {
        var machine = self
        _ = try machine.receivedHead(try EngineParts.head(head).summary)
        machine.responseBodyFinished()
        return machine.verdict
    }
}
