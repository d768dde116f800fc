internal import Glibc

/// The result of one client process: one line of JSON on its standard output.
package struct Sample: Codable, Sendable {
    package var requests: Int
    package var bytes: Int
    package var seconds: Double
    package var user: Double
    package var system: Double
    /// The number of times that a thread yielded or lost its core.
    package var switches: Int?
    /// System calls; nil unless the process is run by `counted-exec`, which counts them.
    package var systemCalls: Int?
    /// Instructions in user mode; 0 if they were not counted, or cannot be.
    package var instructions: Int
    /// Calls of malloc and similar functions; nil unless the library that counts them is loaded.
    package var allocations: Int?
    /// Latencies in microseconds.
    package var p50: Double
    package var p99: Double
    package var p999: Double
    /// The peak of memory when the client was ready and had sent nothing, and at the end.
    package var idleKiB: Int
    package var peakKiB: Int
    package var errors: Int
    package var firstError: String?
    /// The growth of the process's resources from beginning to end, in the modes that measure it.
    package var footprint: Footprint?
    /// The fraction of TLS handshakes that resumed a session, if the server counts them.
    package var resumed: Double?

    /// The sample as JSON, written by hand, because an encoder would link Foundation into every client.
    package var json: String {
        """
        {"requests":\(requests),"bytes":\(bytes),"seconds":\(seconds),"user":\(user),"system":\(system),"switches":\(switches.map(String.init) ?? "null"),"instructions":\(instructions),\
        "allocations":\(allocations.map(String.init) ?? "null"),"p50":\(p50),"p99":\(p99),"p999":\(p999),"idleKiB":\(idleKiB),"peakKiB":\(peakKiB),"errors":\(errors),\
        "firstError":\(firstError.map(Self.quoted) ?? "null"),"footprint":\(footprint?.json ?? "null")}
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
    /// Makes a sample from a tally and the resources used between two moments.
    init(_ tally: Tally, seconds: Double, from before: ResourceUsage, to after: ResourceUsage, idle: ResourceUsage) {
        self.init(
            requests: tally.requests, bytes: tally.bytes, seconds: seconds, user: after.user - before.user,
            system: after.system - before.system, switches: after.switches - before.switches,
            instructions: after.instructions - before.instructions,
            allocations: after.allocations.map { $0 - (before.allocations ?? 0) },
            p50: tally.latencies.microseconds(atQuantile: 0.5), p99: tally.latencies.microseconds(atQuantile: 0.99),
            p999: tally.latencies.microseconds(atQuantile: 0.999), idleKiB: idle.peakKiB, peakKiB: after.peakKiB,
            errors: tally.errors, firstError: tally.firstError)
    }

    /// Runs a client: opens it, measures in the mode of the options and prints the result. If that fails, prints the
    /// reason and ends the process with status 1; the trace of a crash would not be more useful.
    package static func run(_ type: (some LoadClient).Type) async {
        do {
            print(try await sample(of: type, ClientOptions(arguments: CommandLine.arguments.dropFirst())).json)
        } catch {
            var line = Array("\(error)\n".utf8)
            write(STDERR_FILENO, &line, line.count)
            exit(1)
        }
    }

    private static func sample(of type: (some LoadClient).Type, _ options: ClientOptions) async throws -> Sample {
        if options.countsInstructions { ResourceUsage.beginCounting() }
        let client = try await type.init(options)
        let sample =
            switch options.mode {
            case .load: try await load(client, options)
            case .turns: try await turns(client, options)
            case .firstRequest: try await firstRequest(client)
            case .idleConnections: try await idleConnections(client, options)
            case .cancellations: try await cancellations(client, options)
            }
        try await client.shutDown()
        return sample
    }
}
