import SockeyeEngine
import SockeyeHTTP

/// The outcomes that a ``SynchronousInterceptor`` examines.
///
/// A chain of interceptors keeps the union of their filters. For nearly all responses, a single check of this union
/// shows that no interceptor examines them.
package struct OutcomeFilter: Sendable, Equatable {
    /// A bit mask with one bit for each hundred of status codes.
    private var hundreds: UInt16 = 0
    /// True if the filter matches every response with Set-Cookie.
    private var includesCookies = false
    /// True if the filter matches every response to a request to which the authentication policy added a credential.
    private var includesAuthorized = false
    private var includesFailures = false

    package static let nothing = OutcomeFilter()
    package static let everything = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.hundreds = .max
        (outcomeFilter.includesCookies, outcomeFilter.includesAuthorized, outcomeFilter.includesFailures) = (
            true, true, true
        )
        return outcomeFilter
    }()
    /// Matches responses that set cookies.
    package static let cookies = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.includesCookies = true
        return outcomeFilter
    }()
    /// Matches responses to requests to which the authentication policy added a credential.
    package static let authorizedRequests = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.includesAuthorized = true
        return outcomeFilter
    }()
    /// Matches errors.
    package static let failures = {
        var outcomeFilter = OutcomeFilter()
        outcomeFilter.includesFailures = true
        return outcomeFilter
    }()

    /// Matches responses with one of these statuses, and with all other statuses of the same hundreds.
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
        outcomeFilter.includesAuthorized = includesAuthorized || other.includesAuthorized
        outcomeFilter.includesFailures = includesFailures || other.includesFailures
        return outcomeFilter
    }

    /// True if the filter matches an outcome.
    ///
    /// - Parameter request: The prepared request. It may lack the fields that
    ///   ``SynchronousInterceptor/prepare(_:adding:at:for:)`` added, because the chain keeps them separately.
    @inline(__always)
    func includes(_ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest) -> Bool {
        guard case .success(let response) = outcome else { return includesFailures }
        let status = response.statusCode
        guard 0..<1000 ~= status, hundreds &>> UInt16(truncatingIfNeeded: status / 100) & 1 == 0 else { return true }
        return includesCookies && response.setsCookies
            || includesAuthorized && request.parts.hasRareOptions && request.parts.options.isAuthorized
    }
}
