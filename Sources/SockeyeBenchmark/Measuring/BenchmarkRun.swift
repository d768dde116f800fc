import Sockeye
import SockeyePlatform
import SockeyeTesting

/// All measurements of one benchmark, performed sequentially with one client.
struct BenchmarkRun: Sendable {
    private static let manyConnections = 64

    /// The duration of each measurement.
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

    /// Performs all measurements, on the cooperative pool: on the main thread, every resumption of the measuring task
    /// would switch threads.
    @concurrent
    func report() async throws -> BenchmarkReport {
        // The download and the upload come first: their peak memory is reported, and the requests must not raise it.
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

    /// The seconds of each warm-up, and of each run that counts instructions.
    private var warmUp: Double { seconds / 10 }

    /// Measures one stream after a warm-up.
    ///
    /// - Parameter transfer: Transfers bytes for the given number of seconds and returns the number of bytes.
    private func stream(
        _ name: String, _ transfer: (_ seconds: Double) async throws -> Int
    ) async throws -> (figures: TransferFigures, peakHeap: Int) {
        progress("\(name), \(NumberText.seconds(seconds))")
        _ = try await transfer(warmUp)
        let heap = HeapSampler()
        let usage = ProcessUsage.current
        let bytes = try await transfer(seconds)
        let used = ProcessUsage.current - usage
        let peakHeap = await heap.peak()
        guard let figures = TransferFigures(bytes: bytes, usage: used) else {
            throw UnexpectedResponse(description: "no bytes of the \(name) arrived; measure for more --seconds")
        }
        return (figures, peakHeap)
    }

    private func requestFigures(connections: Int) async throws -> RequestFigures {
        progress("small GETs, \(NumberText.connections(connections)), \(NumberText.seconds(seconds))")
        _ = try await requests.run(over: connections, seconds: warmUp)
        let usage = ProcessUsage.current
        let latencies = try await requests.run(over: connections, seconds: seconds)
        let used = ProcessUsage.current - usage
        // Instructions are counted in a separate run, because counters slow down thread switches, above all on virtual
        // machines.
        let counter = InstructionCounter()
        let counted = try await requests.run(over: connections, seconds: warmUp)
        return RequestFigures(
            connections: connections, latencies: latencies, usage: used,
            instructions: counter?.stop().map { Double($0) / Double(counted.count) })
    }

    /// Closes the idle connections. Returns the heap bytes freed per connection; nil if no connection is idle.
    private func heapPerIdleConnection() async -> Int? {
        guard let pool = client.pool, case let idle = pool.statistics.idle, idle > 0 else { return nil }
        let before = HeapUsage.current()
        await pool.closeIdle()
        let after = await HeapUsage.settled()
        return (before - after) / idle
    }
}

extension HeapUsage {
    /// Returns the heap in use after it has stayed the same for 100 ms, or after one second.
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
