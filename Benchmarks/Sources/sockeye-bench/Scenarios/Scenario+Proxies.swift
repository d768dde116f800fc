import BenchmarkKit

extension Scenario {
    /// Small GETs through proxies: forwarded in absolute-form, and over TLS through a tunnel that is opened by CONNECT, once to a
    /// proxy that is itself spoken to over TLS; and through a SOCKS proxy.
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

    /// Bodies of 1 GiB by each content coding.
    static var codings: [Scenario] {
        ServedFile.Coding.allCases.map { coding in
            Scenario(
                name: "coded-1g-\(coding.rawValue)", server: .plain(.large(coding)), job: .get(expecting: 1 << 30),
                connections: 1, measure: .bytes, isQuick: true, purpose: .codings)
        }
    }
}
