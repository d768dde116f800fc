import Sockeye

extension CallTimeline {
    /// The timeline as JSON, for programs. Times are in milliseconds from the start of the call.
    package var json: JSONValue {
        let exchanges = exchanges.map { exchange -> JSONValue in
            let phases = exchange.phases.map { phase -> JSONValue in
                [
                    "name": .string(phase.name), "start": phase.start.milliseconds,
                    "duration": phase.duration.milliseconds,
                ]
            }
            return [
                "request": .string(exchange.title), "status": exchange.status.map { JSONValue($0) } ?? .null,
                "connection": .array(exchange.connection.map { .string($0) }),
                "bytesReceived": JSONValue(exchange.bytesReceived), "phases": .array(phases),
            ]
        }
        return ["duration": duration.milliseconds, "exchanges": .array(exchanges)]
    }
}

extension Duration {
    /// The number of milliseconds, rounded to a microsecond.
    package var milliseconds: JSONValue {
        JSONValue((self / .microseconds(1)).rounded() / 1000) ?? .null
    }
}
