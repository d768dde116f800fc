import SockeyeCore
import SockeyeHTTP1

/// How an ``AuthenticationPolicy`` comes by credentials.
protocol AuthenticationWay: Sendable {
    /// Which requests it is for.
    var reach: CredentialReach { get }

    /// Credentials for the request, as far as there are some. Asked only of requests within reach that have no credentials
    /// in a field.
    func prepare(
        _ request: Request, adding fields: inout AddedFields, at time: TimeSource
    ) throws(SockeyeError) -> Preparation

    func prepareWaiting(_ request: Request, in call: Call) async throws(SockeyeError) -> Request

    /// Whether the response is the answer; takes note of what it says. Asked of responses with status 401, and of others to
    /// requests that took credentials along by which they can be known.
    func accepts(_ response: Response, of request: Request) -> Bool

    /// What comes of a response that is not.
    func revise(_ response: Response, of request: Request, in call: Call) async throws(SockeyeError) -> Response
}

extension AuthenticationWay {
    func prepareWaiting(_ request: Request, in call: Call) async throws(SockeyeError) -> Request { request }

    func accepts(_ response: Response, of request: Request) -> Bool { true }

    func revise(_ response: Response, of request: Request, in call: Call) async throws(SockeyeError) -> Response {
        response
    }
}
