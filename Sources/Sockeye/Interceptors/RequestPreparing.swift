package import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP

/// What is done to requests before they go on; of a ``QuickInterceptor``, the first of its two steps.
package protocol RequestPreparing: Sendable {
    /// What is done to the request before it goes on.
    ///
    /// - Parameter fields: Takes fields that go with the request, which costs less than another request does.
    func prepare(
        _ request: Request, adding fields: inout AddedFields, at time: TimeSource
    ) throws(SockeyeError) -> Preparation
}
