import Synchronization

/// A connection that left HTTP, on its way through the interceptors with the response. Whoever takes it first has it; if nobody
/// does, it closes with the response.
package final class ConnectionHandover: Sendable {
    private let connection: Mutex<(any Sendable)?>

    /// - Parameter connection: Whose end closes it.
    package init(_ connection: any Sendable) {
        self.connection = Mutex(connection)
    }

    fileprivate func take() -> (any Sendable)? {
        connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
    }
}

extension IncomingResponse {
    /// Whether the connection left HTTP with this response, as the request had asked.
    @usableFromInline package var holdsConnection: Bool { head.handover != nil }

    /// What was handed over with this response. Once.
    package func takeHandedOver() -> (any Sendable)? { head.handover?.take() }
}
