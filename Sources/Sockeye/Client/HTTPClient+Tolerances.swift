public import SockeyeEngine

extension HTTPClient {
    /// A client over the same connections that accepts what the servers it is meant for do wrong.
    ///
    /// - Parameter tolerances: Instead of those of this client and of its configuration; none for `[]`.
    public func tolerating(_ tolerances: ResponseTolerances) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.tolerances = tolerances })
    }
}
