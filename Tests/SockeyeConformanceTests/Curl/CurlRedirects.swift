import Sockeye

/// The arguments of curl about redirects, as a policy.
struct CurlRedirects: Sendable {
    var follows = false
    var maximumCount = 50
    /// `--location-trusted`: fields and credentials for the first host are sent to every host.
    var trustsAll = false
    /// `--post303`: a POST stays a POST after 303.
    var keepsPOST = false

    var policy: RedirectPolicy {
        guard follows else { return .manual }
        guard trustsAll || keepsPOST else { return .following(atMost: maximumCount) }
        return .following(atMost: maximumCount) { redirect in
            var request = redirect.request
            if trustsAll {
                for name in [Headers.Name.authorization, .cookie] {
                    request.headers[name] = redirect.original.headers[name]
                }
            }
            if keepsPOST, redirect.original.method == .post {
                (request.method, request.body) = (.post, redirect.original.body)
                request.headers[.contentType] = redirect.original.headers[.contentType]
            }
            return .follow(request)
        }
    }
}
