import BenchmarkKit

extension Scenario {
    /// Scenarios of small GETs through proxies: in absolute-form, over TLS through a CONNECT tunnel to a plain proxy
    /// and to a TLS proxy, and through a SOCKS proxy.
    static var proxies: [Scenario] {
        let routes: [(name: String, route: Route, server: Server)] = [
            ("forward", .forwarded, .plain(.small)), ("connect", .tunnel, .tls(.small)),
            ("tls-in-tls", .tunnelTLS, .tls(.small)), ("socks", .socks, .plain(.small)),
        ]
        return routes.flatMap { name, route, server in
            [1, 64].map { connections in
                var scenario = Scenario(
                    name: "proxy-\(name)-c\(connections)", server: server,
                    job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .requests,
                    isQuick: true, purpose: .proxies)
                scenario.route = route
                return scenario
            }
        }
    }

    /// Scenarios of bodies of 1 GiB in each content coding.
    static var codings: [Scenario] {
        ServedFile.Coding.allCases.map { coding in
            Scenario(
                name: "coded-1g-\(coding.rawValue)", server: .plain(.large(coding)), job: .get(expecting: 1 << 30),
                connections: 1, measure: .bytes, isQuick: true, purpose: .codings)
        }
    }
}
