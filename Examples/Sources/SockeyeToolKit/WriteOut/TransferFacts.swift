import Sockeye

/// The facts about a transfer that `--write-out` can print.
package struct TransferFacts: Sendable {
    /// The URL as it was given.
    package var url: String
    package var method: String
    /// The URL of the response after redirects.
    package var effectiveURL: String
    /// The status; nil without a response.
    package var status: Int?
    package var minorVersion: Int?
    package var headers = Headers()
    /// The absolute URL of a redirect that was not followed.
    package var redirectURL = ""
    package var redirects = 0
    /// The file that the content was written to; empty for standard output.
    package var fileName = ""
    package var metrics: CallMetrics?
    package var exitStatus: Int32 = 0
    package var errorMessage = ""
    /// The time until the end of the transfer if there are no metrics.
    package var elapsed = Duration.zero

    package init(method: String, url: String) {
        self.method = method
        self.url = url
        effectiveURL = url
    }

    /// Takes the facts of a response.
    package mutating func take(_ response: IncomingResponse) {
        effectiveURL = response.url.removingUserInfo.description
        status = response.status.code
        minorVersion = response.minorVersion
        headers = response.headers
        redirects = response.history.count { $0.reason == .redirected }
        let redirect = (300..<400).contains(response.status.code) ? response.headers["Location"] : nil
        redirectURL = redirect.flatMap { try? response.url.resolving($0).description } ?? ""
    }
}
