public import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeNet

extension MockTransport {
    /// Returns the requests received so far that match.
    public func requests(matching pattern: RequestPattern, body: BodyPattern = .any) -> [MockRequest] {
        requests.filter { Rule(pattern: pattern, body: body, answer: .sequence([])).differences(from: $0).isEmpty }
    }

    /// Throws unless exactly `times` requests matched.
    ///
    /// - Throws: ``TestServerError`` with the code `verificationFailed`, and a list of the received requests with their
    ///   differences from the pattern.
    public func verify(_ pattern: RequestPattern, body: BodyPattern = .any, times: Int) throws {
        try verify(pattern, body: body, times: times...times)
    }

    /// Throws unless the number of requests that matched lies in a range. By default, at least one has to match.
    ///
    /// - Throws: As ``verify(_:body:times:)-(_,_,Int)``.
    public func verify(
        _ pattern: RequestPattern, body: BodyPattern = .any, times: some RangeExpression<Int> & Sendable = 1...
    ) throws {
        let rule = Rule(pattern: pattern, body: body, answer: .sequence([]))
        let all = requests.map { (request: $0, differences: rule.differences(from: $0)) }
        let count = all.count { $0.differences.isEmpty }
        guard !times.contains(count) else { return }
        let matched = "\(count) request\(count == 1 ? "" : "s")"
        var message = "\(matched) matched \(pattern), expected \(Self.text(times)); received requests:"
        message += all.isEmpty ? " none" : ""
        for (index, entry) in all.enumerated().prefix(Self.shownRequests) {
            message += "\n\(index + 1). \(entry.request.line)"
            message += entry.differences.isEmpty ? " (matches)" : " (\(entry.differences.joined(separator: "; ")))"
        }
        if all.count > Self.shownRequests { message += "\n… and \(all.count - Self.shownRequests) more" }
        throw TestServerError(.verificationFailed, message)
    }

    private static var shownRequests: Int { 30 }

    private static func text(_ times: some RangeExpression<Int>) -> String {
        switch times {
        case let range as ClosedRange<Int> where range.count == 1: "\(range.lowerBound)"
        case let range as PartialRangeFrom<Int>: "at least \(range.lowerBound)"
        default: "\(times)"
        }
    }

    /// Throws if a request had no answer, or if a queued answer was not used.
    ///
    /// - Throws: ``TestServerError``: `unexpectedRequest`, or `verificationFailed`.
    public func checkForFailures() throws {
        if let error = unexpected.first { throw error }
        let pending = pendingAnswers
        guard pending == 0 else {
            throw TestServerError(.verificationFailed, "\(pending) queued answers were not used")
        }
    }
}

extension HTTPClient {
    /// Makes a client over any transport. The client's retries, and the expiry of its tokens and cached responses,
    /// follow a clock that the test moves.
    ///
    /// - Parameters:
    ///   - transport: The transport, such as a ``MockTransport`` with the same clock.
    ///   - interceptors: The interceptors; see ``/Sockeye/ClientConfiguration/interceptors``.
    ///   - clock: The clock of the client's policies.
    public init(transport: some HTTPTransport, interceptors: [any Interceptor] = [], clock: ManualClock) {
        let poller = Result { () throws(TransportError) in try EventPoller(time: clock.timeSource) }
        let clock = CallClock(time: clock.timeSource) { () throws(TransportError) in try poller.get() }
        self.init(transport: transport, interceptors: interceptors, clock: clock)
    }
}
