import SockeyeEssentials

/// The figures of one run of the benchmark.
struct BenchmarkReport: Codable, Equatable {
    var tls: Bool
    /// The duration of each measurement.
    var seconds: Double
    var cores: Int
    var system: String
    var requests: [RequestFigures]
    var download: TransferFigures
    var upload: TransferFigures
    var memory: MemoryFigures

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// The figures of small requests over one or many connections.
struct RequestFigures: Codable, Equatable {
    var connections: Int
    var requestsPerSecond: Double
    /// The user CPU time.
    var userMicrosecondsPerRequest: Double
    /// The system CPU time.
    var systemMicrosecondsPerRequest: Double
    /// The instructions in user mode; nil if the machine or its settings do not allow counting them.
    var userInstructionsPerRequest: Double?
    var latencyMicroseconds: LatencyPercentiles

    /// - Parameters:
    ///   - latencies: The latency of each request, in nanoseconds.
    ///   - instructions: The instructions per request in user mode; nil if they were not counted.
    init(connections: Int, latencies: [Int64], usage: ProcessUsage, instructions: Double?) {
        let count = Double(latencies.count)
        self.connections = connections
        requestsPerSecond = count / usage.time
        userMicrosecondsPerRequest = usage.user / count * 1e6
        systemMicrosecondsPerRequest = usage.system / count * 1e6
        userInstructionsPerRequest = instructions
        latencyMicroseconds = LatencyPercentiles(nanoseconds: latencies)
    }
}

/// The figures of a download or an upload.
struct TransferFigures: Codable, Equatable {
    /// The rate in units of 10^9 bytes.
    var gigabytesPerSecond: Double
    var cpuSecondsPerGigabyte: Double

    /// Nil if no bytes were transferred, because the CPU time per byte is then undefined.
    init?(bytes: Int, usage: ProcessUsage) {
        guard bytes > 0 else { return nil }
        let gigabytes = Double(bytes) / 1e9
        gigabytesPerSecond = gigabytes / usage.time
        cpuSecondsPerGigabyte = usage.cpu / gigabytes
    }
}

/// The memory use of the process.
struct MemoryFigures: Codable, Equatable {
    /// The peak resident set size of the process, measured after the download and the upload and before the requests.
    /// Nil if the system does not report it.
    var peakResidentBytes: Int?
    /// The peak heap use during the download and the upload.
    var peakHeapBytes: Int
    /// The heap per idle connection; nil if no connection was idle after the requests.
    var heapBytesPerIdleConnection: Int?
}
