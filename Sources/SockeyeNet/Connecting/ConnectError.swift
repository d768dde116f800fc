import SockeyePlatform

/// The error of a failed connect, with the failure of each address that was tried or excluded.
package struct ConnectError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The list of addresses was empty.
        case noAddresses
        /// Each address failed, or was excluded without an attempt to connect; see ``ConnectError/attempts``.
        case allFailed
        /// The deadline passed. Attempts that were still running are listed as timed out.
        case timedOut
        case cancelled
    }

    package struct Attempt: Sendable, Hashable {
        package let address: EndpointAddress
        package let failure: Failure

        package init(address: EndpointAddress, failure: Failure) {
            self.address = address
            self.failure = failure
        }
    }

    package enum Failure: Sendable, Hashable {
        case transport(TransportError)
        /// The address policy does not allow this address.
        case denied
        /// The local address to connect from is of another family.
        case otherFamily
    }

    package let reason: Reason
    /// The failed addresses: first those that were excluded without an attempt to connect (``Failure/denied``,
    /// ``Failure/otherFamily``), then the others in the order in which their attempts ended.
    package let attempts: [Attempt]

    package init(reason: Reason, attempts: [Attempt]) {
        self.reason = reason
        self.attempts = attempts
    }

    /// The error that represents all attempts: that of the last element of ``attempts``, unless connecting timed out or
    /// was cancelled.
    package var error: TransportError {
        switch reason {
        case .timedOut: return .timedOut
        case .cancelled: return .cancelled
        case .noAddresses, .allFailed: break
        }
        switch attempts.last?.failure {
        case .transport(let error): return error
        case .denied: return .failed(.connect, .accessDenied)
        case .otherFamily: return .failed(.connect, .familyNotSupported)
        case nil: return .failed(.connect, .addressNotAvailable)
        }
    }

    /// True if the address policy refused every address.
    package var isDenied: Bool { !attempts.isEmpty && attempts.allSatisfy { $0.failure == .denied } }
}

extension ConnectError: CustomStringConvertible {
    /// The maximum number of attempts in the description.
    private static let shownAttempts = 8

    package var description: String {
        var shown = attempts.prefix(Self.shownAttempts).map { "\($0.address): \($0.failure)" }
        let rest = attempts.count - shown.count
        if rest > 0 { shown.append("\(rest) more address\(rest == 1 ? "" : "es")") }
        let tried = shown.joined(separator: "; ")
        let summary =
            switch reason {
            case .noAddresses: "the host has no address to connect to"
            case .allFailed: attempts.count > 1 ? "connecting to every address failed" : "cannot connect"
            case .timedOut: "connecting took too long"
            case .cancelled: "connecting was cancelled"
            }
        return tried.isEmpty ? summary : "\(summary) (\(tried))"
    }
}

extension ConnectError.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .transport(.system(let call, let error)):
            "\(call.name): \(error.text) (\(error.code))"
        case .transport(.timedOut): "no answer in time"
        case .transport(.cancelled): "cancelled"
        case .transport(let error): "\(error)"
        case .denied: "not allowed by the address policy"
        case .otherFamily: "the address family differs from that of the local address"
        }
    }
}
