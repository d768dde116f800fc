extension HTTPClient {
    /// A client over the same connections with another interceptor, such as `.redirects(.manual)`.
    ///
    /// It stands further in than those of the same stage that are there already, and instead of them where the stage
    /// holds one. See ``InterceptorStage``.
    public func adding(_ interceptor: some Interceptor) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.adding([interceptor]) })
    }

    /// A client over the same connections without the interceptors of some stages.
    public func removing(_ stages: InterceptorStage...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.without(Set(stages)) })
    }
}
