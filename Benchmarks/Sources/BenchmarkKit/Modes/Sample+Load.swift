internal import Glibc

extension Sample {
    /// Requests, after some that are not counted.
    static func load(_ client: some LoadClient, _ options: ClientOptions) async throws -> Sample {
        let idle = try await warmUp(client, options)
        let before = ResourceUsage.current()
        let start = MonotonicClock.now
        let tally = try await client.load(Phase(seconds: options.seconds, requests: options.requests))
        let seconds = Double(MonotonicClock.now - start) / 1e9
        return Sample(tally, seconds: seconds, from: before, to: .current(), idle: idle)
    }

    /// Requests in turns, after some that are not counted: for clients that take turns with others in short times, so that
    /// whatever else the machine does meets all of them alike, and that keep their connections meanwhile.
    ///
    /// A line `ready` on standard output ends the warm-up. Each line on standard input begins a turn, and its sample is a
    /// line on standard output. The end of standard input ends the turns.
    ///
    /// - Returns: What all turns were together. Its times have the pauses between the turns in them.
    static func turns(_ client: some LoadClient, _ options: ClientOptions) async throws -> Sample {
        let idle = try await warmUp(client, options)
        let (first, start) = (ResourceUsage.current(), MonotonicClock.now)
        var whole = Tally()
        say("ready")
        while readLine() != nil {
            try await open(client, options)
            let (before, start) = (ResourceUsage.current(), MonotonicClock.now)
            let phase = Phase(seconds: options.seconds, fewest: fewestInTurn, requests: options.requests)
            let tally = try await client.load(phase)
            let seconds = Double(MonotonicClock.now - start) / 1e9
            say(Sample(tally, seconds: seconds, from: before, to: .current(), idle: idle).json)
            whole.merge(tally)
        }
        let seconds = Double(MonotonicClock.now - start) / 1e9
        return Sample(whole, seconds: seconds, from: first, to: .current(), idle: idle)
    }

    /// Requests of each worker in a turn: slow clients with many connections come round less often in the time of one.
    private static let fewestInTurn = 10

    /// Requests that begin a turn and are not counted: connections that were closed in the pause are opened anew, and nobody starts
    /// with the processor's caches as the client before left them.
    private static func open(_ client: some LoadClient, _ options: ClientOptions) async throws {
        guard options.requests == .max else { return }
        _ = try await client.load(Phase(seconds: openingSeconds))
    }

    private static let openingSeconds = 0.02

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Requests that are not counted.
    ///
    /// - Returns: What the client used before the first of them, or after a small one, if there is one to begin with: then
    ///   what a client needs once, whatever it is asked for, is there.
    private static func warmUp(_ client: some LoadClient, _ options: ClientOptions) async throws -> ResourceUsage {
        if !options.smallURL.isEmpty {
            var small = options
            small.url = options.smallURL
            small.job = .get(expecting: options.smallBytes)
            small.tasks = 1
            let tally = try await client.retargeted(small).load(Phase(seconds: 60, requests: 1))
            if let error = tally.firstError { throw NoSmallAnswer(reason: error) }
        }
        let idle = ResourceUsage.current()
        if options.warmup > 0 {
            // A warm-up of at most one request for each connection where a single one takes long.
            let limit = options.requests == .max ? Int.max : options.connections
            _ = try await client.load(Phase(seconds: options.warmup, requests: limit))
        }
        return idle
    }

    private struct NoSmallAnswer: Error, CustomStringConvertible {
        let reason: String

        var description: String { "the small request before the others failed: \(reason)" }
    }
}
