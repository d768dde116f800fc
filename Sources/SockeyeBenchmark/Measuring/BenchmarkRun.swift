import Sockeye
import SockeyePlatform
import SockeyeTesting

/// All measurements of one benchmark, one after another, by one client.
struct BenchmarkRun: Sendable {
    private static let manyConnections = 64

    /// Of each measurement.
    private let seconds: Double
    private let usesTLS: Bool
    private let client: HTTPClient
    private let requests: RequestLoad
    private let streams: StreamLoad
    private let progress: @Sendable (String) -> Void

    /// - Parameter progress: Called with a line of text before each measurement.
    init(seconds: Double, server: ServerGreeting, progress: @escaping @Sendable (String) -> Void) {
        self.seconds = seconds
        usesTLS = server.roots != nil
        self.progress = progress
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = Self.manyConnections
        if let roots = server.roots { configuration.tls = TLSOptions(roots: .pem(roots)) }
        client = HTTPClient(configuration: configuration)
        requests = RequestLoad(client: client, url: server.url + BenchmarkServer.smallPath)
        streams = StreamLoad(client: client, server: server.url)
    }

    /// Measures everything. Not on the caller's thread, which is the main one: each resumption would change threads.
    @concurrent
    func report() async throws -> BenchmarkReport {
        // Streams come first, so that the peak of memory is theirs.
        let download = try await stream("download", streams.download)
        let upload = try await stream("upload", streams.upload)
        let peakResident = ProcessUsage.peakResidentBytes
        let one = try await requestFigures(connections: 1)
        let many = try await requestFigures(connections: Self.manyConnections)
        let memory = MemoryFigures(
            peakResidentBytes: peakResident, peakHeapBytes: max(download.peakHeap, upload.peakHeap),
            heapBytesPerIdleConnection: await heapPerIdleConnection())
        return BenchmarkReport(
            tls: usesTLS, seconds: seconds, cores: ProcessUsage.cores, system: SystemProcess.system,
            requests: [one, many], download: download.figures, upload: upload.figures, memory: memory)
    }

    private var warmUp: Double { seconds / 10 }

    /// - Parameter transfer: Moves bytes for some seconds and returns how many.
    private func stream(
        _ name: String, _ transfer: (_ seconds: Double) async throws -> Int
    ) async throws -> (figures: TransferFigures, peakHeap: Int) {
        progress("\(name), \(NumberText.seconds(seconds))")
        _ = try await transfer(warmUp)
        let heap = HeapSampler()
        let usage = ProcessUsage.current
        let bytes = try await transfer(seconds)
        return (TransferFigures(bytes: bytes, usage: ProcessUsage.current - usage), await heap.peak())
    }

    private func requestFigures(connections: Int) async throws -> RequestFigures {
        progress("small GETs, \(NumberText.connections(connections)), \(NumberText.seconds(seconds))")
        _ = try await requests.run(over: connections, seconds: warmUp)
        let usage = ProcessUsage.current
        let latencies = try await requests.run(over: connections, seconds: seconds)
        let used = ProcessUsage.current - usage
        // Counted in a run of its own: counters make changes of threads slower, above all on virtual machines.
        let counter = InstructionCounter()
        let counted = try await requests.run(over: connections, seconds: warmUp)
        return RequestFigures(
            connections: connections, latencies: latencies, usage: used,
            instructions: counter?.stop().map { Double($0) / Double(counted.count) })
    }

    /// The heap that becomes free when the idle connections are closed; nil if there are none.
    private func heapPerIdleConnection() async -> Int? {
        guard let pool = client.pool, case let idle = pool.statistics.idle, idle > 0 else { return nil }
        let before = HeapUsage.current()
        await pool.closeIdle()
        let after = await HeapUsage.settled()
        return (before - after) / idle
    }
}

extension HeapUsage {
    /// The heap in use once it has stayed the same for 100 ms; after a second in any case.
    fileprivate static func settled() async -> Int {
        var (last, unchanged) = (current(), 0)
        for _ in 0..<50 where unchanged < 5 {
            try? await Task.sleep(for: .milliseconds(20))
            let next = current()
            unchanged = next == last ? unchanged + 1 : 0
            last = next
        }
        return last
    }
}
