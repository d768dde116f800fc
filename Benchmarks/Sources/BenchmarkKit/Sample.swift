/// The result of one client process: one line of JSON on its standard output.
package struct Sample: Codable, Sendable {
    package var requests: Int
    package var bytes: Int
    package var seconds: Double
    package var user: Double
    package var system: Double
    /// Instructions in user mode; 0 where they cannot be counted.
    package var instructions: Int
    /// Calls of malloc and its like; nil unless the library that counts them is loaded.
    package var allocations: Int?
    /// Latencies in microseconds.
    package var p50: Double
    package var p99: Double
    package var p999: Double
    /// Peak memory when the client was ready and had sent nothing, and at the end.
    package var idleKiB: Int
    package var peakKiB: Int
    package var errors: Int
    package var firstError: String?

    /// Written by hand, because an encoder would link Foundation into every client.
    package var json: String {
        """
        {"requests":\(requests),"bytes":\(bytes),"seconds":\(seconds),"user":\(user),"system":\(system),"instructions":\(instructions),\
        "allocations":\(allocations.map(String.init) ?? "null"),"p50":\(p50),"p99":\(p99),"p999":\(p999),"idleKiB":\(idleKiB),"peakKiB":\(peakKiB),"errors":\(errors),\
        "firstError":\(firstError.map(Self.quoted) ?? "null")}
        """
    }

    private static func quoted(_ text: String) -> String {
        let safe = text.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" || scalar.value < 0x20 ? " " : String(scalar)
        }
        return "\"\(safe.joined())\""
    }
}

extension Sample {
    /// Runs a client: opens it, warms it up, measures it and prints the result.
    package static func run(_ type: (some LoadClient).Type) async throws {
        let options = try ClientOptions(arguments: CommandLine.arguments.dropFirst())
        _ = ResourceUsage.current()
        let client = try await type.init(options)
        let idle = ResourceUsage.current()
        if options.warmup > 0 {
            // A warm-up of at most one request for each connection where a single one takes long.
            let limit = options.requests == .max ? Int.max : options.connections
            _ = try await client.load(Phase(seconds: options.warmup, requests: limit))
        }
        let before = ResourceUsage.current()
        let start = MonotonicClock.now
        let tally = try await client.load(Phase(seconds: options.seconds, requests: options.requests))
        let seconds = Double(MonotonicClock.now - start) / 1e9
        let after = ResourceUsage.current()
        try await client.shutDown()
        print(
            Sample(
                requests: tally.requests, bytes: tally.bytes, seconds: seconds, user: after.user - before.user,
                system: after.system - before.system,
                instructions: after.instructions - before.instructions,
                allocations: after.allocations.map { $0 - (before.allocations ?? 0) },
                p50: tally.latencies.microseconds(atQuantile: 0.5),
                p99: tally.latencies.microseconds(atQuantile: 0.99),
                p999: tally.latencies.microseconds(atQuantile: 0.999), idleKiB: idle.peakKiB, peakKiB: after.peakKiB,
                errors: tally.errors, firstError: tally.firstError
            ).json)
    }
}
