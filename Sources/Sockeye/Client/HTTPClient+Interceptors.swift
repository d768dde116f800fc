extension HTTPClient {
    /// A client over the same connections with another interceptor, such as `.redirects(.manual)`.
    ///
    /// It stands further in than those of the same stage that are there already, and instead of them where the stage
    /// holds one. See ``InterceptorStage``.
    public func adding(_ interceptor: some Interceptor) -> HTTPClient {
        adding([interceptor])
    }

    /// As ``adding(_:)-(some)``, with an interceptor of any type.
    ///
    /// Besides, it is this overload that lets the compiler (6.3) see that closures written inside `.name { … }` are
    /// sendable.
    public func adding(_ interceptor: any Interceptor) -> HTTPClient {
        adding([interceptor])
    }

    /// A client over the same connections with several further interceptors, from the outside in.
    public func adding(_ interceptors: [any Interceptor]) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.adding(interceptors) })
    }

    /// A client over the same connections without the interceptors of some stages.
    public func removing(_ stages: InterceptorStage...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.without(Set(stages)) })
    }

    /// A client over the same connections whose calls a further monitor hears of.
    public func monitored(by monitor: some EventMonitor) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.monitors.append(monitor) })
    }
}
