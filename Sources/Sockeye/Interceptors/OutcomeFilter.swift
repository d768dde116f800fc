import SockeyeEngine
import SockeyeHTTP

/// A filter of outcomes: those that a ``SynchronousInterceptor`` wants to see. All others pass it by.
///
/// A chain keeps the union of its filters, so that one look at a response tells that no interceptor wants it, as is so
/// for nearly all.
package struct OutcomeFilter: Sendable, Equatable {
    /// A bit mask: one bit for each hundred of statuses.
    private var hundreds: UInt16 = 0
    /// Whether responses with Set-Cookie count, whatever their status.
    private var includesCookies = false
    /// Whether responses to requests with an answer to a challenge count, whatever their status.
    private var includesAnswers = false
    private var includesFailures = false

    /// No outcome.
    package static let nothing = OutcomeFilter()
    /// Every outcome.
    package static let everything = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.hundreds = .max
        (outcomeFilter.includesCookies, outcomeFilter.includesAnswers, outcomeFilter.includesFailures) = (
            true, true, true
        )
        return outcomeFilter
    }()
    /// Responses that set cookies.
    package static let cookies = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.includesCookies = true
        return outcomeFilter
    }()
    /// Responses to requests with an answer to a challenge.
    package static let answers = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.includesAnswers = true
        return outcomeFilter
    }()
    /// Errors.
    package static let failures = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.includesFailures = true
        return outcomeFilter
    }()

    /// Responses with one of these statuses; others of the same hundred may be among them.
    package static func statuses(_ statuses: StatusCodeSet) -> OutcomeFilter {
        var outcomeFilter = OutcomeFilter()
        for hundred in 0..<10 where statuses.intersects(100 * hundred...100 * hundred + 99) {
            outcomeFilter.hundreds |= 1 << UInt16(hundred)
        }
        return outcomeFilter
    }

    package func union(_ other: OutcomeFilter) -> OutcomeFilter {
        var outcomeFilter = self
        outcomeFilter.hundreds |= other.hundreds
        outcomeFilter.includesCookies = includesCookies || other.includesCookies
        outcomeFilter.includesAnswers = includesAnswers || other.includesAnswers
        outcomeFilter.includesFailures = includesFailures || other.includesFailures
        return outcomeFilter
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
