internal import Glibc

extension Sample {
    /// Measures requests, after a warm-up.
    static func load(_ client: some LoadClient, _ options: ClientOptions) async throws -> Sample {
        let idle = try await warmUp(client, options)
        let before = ResourceUsage.current()
        let start = MonotonicClock.now
        let tally = try await client.load(Phase(seconds: options.seconds, requests: options.requests))
        let seconds = Double(MonotonicClock.now - start) / 1e9
        return Sample(tally, seconds: seconds, from: before, to: .current(), idle: idle)
    }

    /// Measures requests in turns, after a warm-up. Clients alternate in short turns, so that other load on the machine
    /// affects all of them alike. They keep their connections between turns.
    ///
    /// A line `ready` on standard output ends the warm-up. Each line on standard input begins a turn, and its sample is
    /// a line on standard output. The end of standard input ends the turns.
    ///
    /// - Returns: The sum of all turns. Its times include the pauses between the turns.
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

    /// The minimum of requests of each worker in a turn; slow clients with many connections would have fewer in its
    /// time.
    private static let fewestInTurn = 10

    /// Sends requests at the beginning of a turn that are not counted. They open connections again that were closed in
    /// the pause, and fill the processor's caches, which hold data of the previous client.
    private static func open(_ client: some LoadClient, _ options: ClientOptions) async throws {
        guard options.requests == .max else { return }
        _ = try await client.load(Phase(seconds: openingSeconds))
    }

    private static let openingSeconds = 0.02

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Sends requests that are not counted.
    ///
    /// - Returns: The resources that the client used before the warm-up. If there is a small request, it comes first,
    ///   so that they include the objects that a client needs only once.
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
            // If the number of requests is limited, each takes long; the warm-up then has one for each connection at
            // most.
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
