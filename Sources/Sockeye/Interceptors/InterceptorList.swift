import SockeyeEngine
package import SockeyeHTTP

/// A redirect policy that removes fields from requests to another origin.
protocol CrossOriginFieldStripping: Interceptor {
    /// The removed fields, in addition to those that every policy removes (``Headers/Name/isOriginBound``).
    var strippedFields: [Headers.Name] { get }
}

/// A policy with rules for requests to this machine. The rules depend on the route of such requests: directly or
/// through a proxy.
protocol RouteBoundInterceptor: Interceptor {
    /// Returns the policy for a client that sends http requests to this machine by `route`.
    func sending(by route: LoopbackRoute) -> Self
}

/// An interceptor type of which only the last instance in a chain is used.
package protocol SingleInterceptor: Interceptor {}

/// The interceptors of a client, a scope (see `scoped` of ``HTTPClient``) or a call, in the order in which they were
/// added.
package struct InterceptorList: Sendable {
    package private(set) var added: [any Interceptor] = []

    package init(_ added: [any Interceptor] = []) {
        self.added = added
    }

    /// The default of ``CrossOriginFieldStripping/strippedFields``: fields that often contain secrets.
    static let usualStrippedFields = WithheldFields.usual

    package func adding(_ further: [any Interceptor]) -> InterceptorList {
        InterceptorList(added + further)
    }

    package func without(_ stages: Set<Call.Stage>) -> InterceptorList {
        stages.isEmpty ? self : InterceptorList(added.filter { !stages.contains($0.stage) })
    }

    /// The interceptors for calls to origins other than those of the scope. Interceptors that carry credentials are
    /// removed, and each ``OriginBoundInterceptor`` is replaced by its variant for other origins. An interceptor that a
    /// later one has replaced (see ``ordered``) does not come back if the later one is removed here.
    var outsideScope: InterceptorList {
        // Referer may leak the URL of a secure page (RFC 9110 10.1.3).
        let withheld = strippedFields + [.referer]
        return InterceptorList(
            ordered.compactMap { interceptor in
                if let bound = interceptor as? any OriginBoundInterceptor {
                    return bound.outsideScope(withholding: withheld)
                }
                return interceptor.carriesCredentials ? nil : interceptor
            })
    }

    /// The ``CrossOriginFieldStripping/strippedFields`` of the redirect policy in use. The default fields if the list
    /// has no such policy.
    var strippedFields: [Headers.Name] {
        let policy = added.last { $0.stage == .redirects } as? any CrossOriginFieldStripping
        return policy?.strippedFields ?? Self.usualStrippedFields
    }

    /// The fields named by the redirect policies of the list, including replaced policies. A policy with exactly the
    /// default fields is ignored.
    package var secretFields: Set<Headers.Name> {
        var fields: Set<Headers.Name> = []
        for case let policy as any CrossOriginFieldStripping in added
        where policy.strippedFields != Self.usualStrippedFields {
            fields.formUnion(policy.strippedFields)
        }
        return fields
    }

    /// The interceptors in the order in which they run, the outermost first. A stage that may hold only one interceptor
    /// keeps the last one added to it. The list also keeps only the last instance of each ``SingleInterceptor`` type.
    var ordered: [any Interceptor] {
        let indexed = Array(added.enumerated())
        let kept = indexed.filter { index, interceptor in
            !added[(index + 1)...].contains { $0.replaces(interceptor) }
        }
        return kept.sorted { ($0.element.stage, $0.offset) < ($1.element.stage, $1.offset) }.map(\.element)
    }
}

extension Interceptor {
    fileprivate func replaces(_ earlier: any Interceptor) -> Bool {
        if earlier.stage.holdsOne { return stage == earlier.stage }
        return earlier is any SingleInterceptor && type(of: earlier) == type(of: self as any Interceptor)
    }
}
