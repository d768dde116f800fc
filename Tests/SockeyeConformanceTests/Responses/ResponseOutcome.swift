import Sockeye
import SockeyeCore

/// Everything a caller sees of one exchange.
struct ResponseOutcome: Sendable {
    var head: IncomingResponse?
    var body = Bytes()
    var error: SockeyeError?

    /// Sends `request` and reads the body to its end.
    static func of(_ request: OutgoingRequest, with client: HTTPClient) async -> ResponseOutcome {
        var outcome = ResponseOutcome()
        do throws(SockeyeError) {
            let response = try await client.send(request)
            outcome.head = response
            outcome.body = try await response.bytes()
        } catch {
            outcome.error = error
        }
        return outcome
    }

    /// Sends CONNECT. The bytes after the head belong to the tunnel.
    static func ofTunnel(to url: String, headers: Headers, with client: HTTPClient) async -> ResponseOutcome {
        var outcome = ResponseOutcome()
        do throws(SockeyeError) {
            let (response, connection) = try await client.connect(url, headers: headers)
            outcome.head = response
            connection.close()
        } catch {
            outcome.error = error
        }
        return outcome
    }
}
