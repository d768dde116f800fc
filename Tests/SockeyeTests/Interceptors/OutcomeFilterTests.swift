import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Outcome filters of policies") struct OutcomeFilterTests {
    private let request: OutgoingRequest

    init() throws { request = try OutgoingRequest(url: "https://a.test/") }

    private func includes(_ outcomeFilter: OutcomeFilter, _ status: Int, setting cookie: String? = nil) throws -> Bool {
        var headers = Headers()
        headers[.setCookie] = cookie
        let response = try IncomingResponse(
            status: HTTPResponse.Status(code: status), headers: headers, url: HTTPURL("https://a.test/"))
        return outcomeFilter.includes(.success(response), of: request)
    }

    @Test(
        "the filter of a retry policy includes every response that the policy rejects",
        arguments: [
            RetryPolicy.retry(), .retry(breaker: .opening()), .plain { $0.statuses = [204, 999, 100] },
            .plain { $0.decide = { _ in .stop } },
        ])
    func retries(policy: RetryPolicy) throws {
        for status in 100...999 {
            let response = try IncomingResponse(
                status: HTTPResponse.Status(code: status), url: HTTPURL("https://a.test/"))
            let accepts = policy.accepts(.success(response), of: request, at: ManualClock().timeSource)
            let isLookedAt = try includes(policy.outcomeFilter, status)
            #expect(accepts || isLookedAt)
        }
        #expect(policy.outcomeFilter.includes(.failure(.failure(.timeout)), of: request))
    }

    @Test("the filter of each policy includes its redirects, challenges or cookies, but no usual response")
    func each() throws {
        let (redirects, manual) = (RedirectPolicy.following.outcomeFilter, RedirectPolicy.manual.outcomeFilter)
        let (bearer, jar) = (
            AuthenticationPolicy.bearer("t").outcomeFilter, CookiePolicy(CookiePolicy.Jar()).outcomeFilter
        )
        for status in [301, 302, 303, 307, 308] {
            #expect(try includes(redirects, status) && !includes(manual, status) && !includes(jar, status))
        }
        #expect(try includes(bearer, 401) && !includes(jar, 401) && !includes(redirects, 401))
        #expect(try includes(jar, 200, setting: "a=1") && !includes(bearer, 200, setting: "a=1"))
        let all = [redirects, bearer, jar, RetryPolicy.retry().outcomeFilter].reduce(OutcomeFilter.nothing) {
            $0.union($1)
        }
        #expect(try !includes(all, 200) && !includes(all, 204) && !includes(all, 299))
        #expect(try includes(.everything, 200) && !includes(.nothing, 500))
    }

    @Test("the filter of authentication includes every response to a request with credentials")
    func answers() throws {
        let response = try IncomingResponse(status: .ok, url: HTTPURL("https://a.test/"))
        let answered = request.authorized("x", as: .token(generation: 1))
        #expect(AuthenticationPolicy.bearer("t").outcomeFilter.includes(.success(response), of: answered))
        #expect(!CookiePolicy(CookiePolicy.Jar()).outcomeFilter.includes(.success(response), of: answered))
    }
}
