import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// A redirect policy as the list sees it: by the fields that it drops at another origin.
protocol CrossOriginFieldStripping: Interceptor {
    /// Fields that are dropped at another origin, besides Authorization and its kind.
    var strippedFields: [Headers.Name] { get }
}

/// A policy with rules for requests to this machine, which depend on the client's proxies.
protocol RouteBoundInterceptor: Interceptor {
    /// The policy in a client with this route.
    func sending(by route: LoopbackRoute) -> Self
}

/// An interceptor of which the last one of its type in a chain counts.
package protocol SingleInterceptor: Interceptor {}

/// The interceptors of a client, a scope or a call, in the order in which they were added.
package struct InterceptorList: Sendable {
    package private(set) var added: [any Interceptor] = []

    package init(_ added: [any Interceptor] = []) {
        self.added = added
    }

    /// The fields besides Authorization and its kind in which services take secrets.
    static let usualStrippedFields = SecretNames.fields.map { Headers.Name($0) }

    /// The list with further interceptors behind its own.
    func adding(_ further: [any Interceptor]) -> InterceptorList {
        InterceptorList(added + further)
    }

    /// The list without the interceptors of some stages.
    func without(_ stages: Set<Call.Stage>) -> InterceptorList {
        stages.isEmpty ? self : InterceptorList(added.filter { !stages.contains($0.stage) })
    }

    /// The interceptors for calls to other origins: without those that carry credentials. In a stage that holds one, an
    /// overridden interceptor does not come back for one that is left out.
    var outsideScope: InterceptorList {
        let withheld = strippedFields
        return InterceptorList(
            ordered.compactMap { interceptor in
                if let bound = interceptor as? any OriginBoundInterceptor {
                    return bound.outsideScope(withholding: withheld)
                }
                return interceptor.carriesCredentials ? nil : interceptor
            })
    }

    /// Fields that are dropped at another origin, besides Authorization and its kind.
    var strippedFields: [Headers.Name] {
        let policy = added.last { $0.stage == .redirects } as? any CrossOriginFieldStripping
        return policy?.strippedFields ?? Self.usualStrippedFields
    }

    /// The interceptors from the outside in; the last one in a stage that holds one, and of each
    /// ``SingleInterceptor``.
    var ordered: [any Interceptor] {
        let indexed = Array(added.enumerated())
        let kept = indexed.filter { index, interceptor in
            !added[(index + 1)...].contains { $0.replaces(interceptor) }
        }
        return kept.sorted { ($0.element.stage, $0.offset) < ($1.element.stage, $1.offset) }.map(\.element)
    }
}

extension Interceptor {
    /// Whether an interceptor that was added before it is left out.
    fileprivate func replaces(_ earlier: any Interceptor) -> Bool {
        if earlier.stage.holdsOne { return stage == earlier.stage }
        return earlier is any SingleInterceptor && type(of: earlier) == type(of: self as any Interceptor)
    }
}
