import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

@Suite("Transient errors")
struct TransientErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let code: SockeyeError.Code
        let phase: SockeyeError.Phase
        var blame = SockeyeError.Blame.peer
        let isTransient: Bool

        var testDescription: String { "\(code) in \(phase), \(blame)" }
    }

    static let rows = [
        Row(code: .resolutionFailed, phase: .resolve, blame: .network, isTransient: true),
        Row(code: .resolutionFailed, phase: .resolve, blame: .caller, isTransient: false),
        Row(code: .connectFailed, phase: .connect, blame: .network, isTransient: true),
        Row(code: .connectFailed, phase: .connect, blame: .policy, isTransient: false),
        Row(code: .connectFailed, phase: .send, blame: .caller, isTransient: false),
        Row(code: .connectionClosed, phase: .tls, isTransient: true),
        Row(code: .connectionClosed, phase: .send, isTransient: true),
        Row(code: .connectionClosed, phase: .head, isTransient: true),
        Row(code: .connectionClosed, phase: .body, isTransient: false),
        Row(code: .timeout, phase: .pool, blame: .policy, isTransient: false),
        Row(code: .timeout, phase: .resolve, blame: .network, isTransient: true),
        Row(code: .timeout, phase: .connect, blame: .network, isTransient: true),
        Row(code: .timeout, phase: .tls, isTransient: true),
        Row(code: .timeout, phase: .send, blame: .network, isTransient: true),
        Row(code: .timeout, phase: .head, isTransient: true),
        Row(code: .timeout, phase: .body, isTransient: false),
        Row(code: .tlsFailed, phase: .tls, isTransient: false),
        Row(code: .malformedResponse, phase: .head, isTransient: false),
        Row(code: .limitExceeded, phase: .head, blame: .policy, isTransient: false),
        Row(code: .outOfResources, phase: .connect, blame: .network, isTransient: false),
        Row(code: .tooManyWaiting, phase: .pool, blame: .policy, isTransient: false),
        Row(code: .cancelled, phase: .head, blame: .caller, isTransient: false),
        Row(code: .shutDown, phase: .pool, blame: .caller, isTransient: false),
        Row(code: .invalidRequest, phase: .prepare, blame: .caller, isTransient: false),
        Row(code: .bodyFailed, phase: .send, blame: .caller, isTransient: false),
        Row(code: .redirectLoop, phase: .head, isTransient: false),
        Row(code: .circuitOpen, phase: .prepare, blame: .policy, isTransient: false),
    ]

    @Test("an error before the response is transient unless it would recur", arguments: rows)
    func codes(row: Row) {
        #expect(SockeyeError.failure(row.code, in: row.phase, blame: row.blame).isTransient == row.isTransient)
    }

    static let downloadRows = [
        Row(code: .connectionClosed, phase: .body, isTransient: true),
        Row(code: .timeout, phase: .body, isTransient: true),
        Row(code: .timeout, phase: .pool, blame: .policy, isTransient: true),
        Row(code: .tooManyWaiting, phase: .pool, blame: .policy, isTransient: true),
        Row(code: .outOfResources, phase: .connect, blame: .network, isTransient: true),
        Row(code: .circuitOpen, phase: .prepare, blame: .policy, isTransient: true),
        Row(code: .outOfResources, phase: .body, blame: .network, isTransient: false),
        Row(code: .connectFailed, phase: .connect, blame: .policy, isTransient: false),
        Row(code: .timeout, phase: .body, blame: .caller, isTransient: false),
        Row(code: .limitExceeded, phase: .head, blame: .policy, isTransient: false),
        Row(code: .shutDown, phase: .pool, blame: .caller, isTransient: false),
    ]

    @Test(
        "a download also continues after an error in the body, and after a local shortage that may pass",
        arguments: downloadRows)
    func downloads(row: Row) {
        let error = SockeyeError.failure(row.code, in: row.phase, blame: row.blame)
        #expect(error.isTransientForDownloads == row.isTransient)
    }

    @Test(
        "a TLS error is transient only if the peer closed the connection in the handshake",
        arguments: [
            (.handshakeClosed, true), (.certificateExpired, false), (.untrustedRoot, false), (.hostNameMismatch, false),
            (.pinMismatch, false), (.noCommonGround, false), (.alert, false), (.notTLS, false), (.other, false),
            (.badConfiguration, false), (.flood, false),
        ] as [(TLSError.Reason, Bool)])
    func handshakes(reason: TLSError.Reason, isTransient: Bool) {
        let error = SockeyeError(TransportError.tls(TLSError(reason: reason, message: "so")), phase: .tls)
        #expect(error.isTransient == isTransient)
    }
}
