import SockeyeEngine
import SockeyeHTTP

/// Which outcomes a ``SynchronousInterceptor`` may object to or take note of. All others pass it without its being asked.
///
/// Known beforehand, so that a chain can tell by a look at the response that nobody has anything to say: for nearly all
/// responses that is so.
package struct OutcomeInterest: Sendable, Equatable {
    /// A bit for each hundred statuses.
    private var hundreds: UInt16 = 0
    /// Whether responses with Set-Cookie count, whatever their status.
    private var includesCookies = false
    /// Whether responses to requests with an answer to a challenge count, whatever their status.
    private var includesAnswers = false
    private var includesFailures = false

    /// No outcome.
    package static let nothing = OutcomeInterest()
    /// Every outcome.
    package static let everything = {
        var interest = OutcomeInterest()
        interest.hundreds = .max
        (interest.includesCookies, interest.includesAnswers, interest.includesFailures) = (true, true, true)
        return interest
    }()
    /// Responses that set cookies.
    package static let cookies = {
        var interest = OutcomeInterest()
        interest.includesCookies = true
        return interest
    }()
    /// Responses to requests with an answer to a challenge.
    package static let answers = {
        var interest = OutcomeInterest()
        interest.includesAnswers = true
        return interest
    }()
    /// Errors.
    package static let failures = {
        var interest = OutcomeInterest()
        interest.includesFailures = true
        return interest
    }()

    /// Responses with one of these statuses; others of the same hundred may be among them.
    package static func statuses(_ statuses: StatusCodeSet) -> OutcomeInterest {
        var interest = OutcomeInterest()
        for hundred in 0..<10 where statuses.intersects(100 * hundred...100 * hundred + 99) {
            interest.hundreds |= 1 << UInt16(hundred)
        }
        return interest
    }

    package func union(_ other: OutcomeInterest) -> OutcomeInterest {
        var interest = self
        interest.hundreds |= other.hundreds
        interest.includesCookies = includesCookies || other.includesCookies
        interest.includesAnswers = includesAnswers || other.includesAnswers
        interest.includesFailures = includesFailures || other.includesFailures
        return interest
    }

    /// - Parameter request: As it was sent, but for the fields that were added to it.
    @inline(__always)
    func includes(_ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest) -> Bool {
        guard case .success(let response) = outcome else { return includesFailures }
        let status = response.statusCode
        guard 0..<1000 ~= status, hundreds &>> UInt16(truncatingIfNeeded: status / 100) & 1 == 0 else { return true }
        return includesCookies && response.setsCookies
            || includesAnswers && request.parts.hasRareOptions && request.parts.options.isAuthorized
    }
}
