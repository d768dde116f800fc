import FoundationEssentials

/// The figures of one run.
struct BenchmarkReport: Codable, Equatable {
    var tls: Bool
    /// Of each measurement.
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

/// Small requests over some connections.
struct RequestFigures: Codable, Equatable {
    var connections: Int
    var requestsPerSecond: Double
    /// Per request.
    var userMicroseconds: Double
    /// Per request.
    var systemMicroseconds: Double
    /// In user mode, per request; nil where they cannot be counted.
    var instructions: Double?
    var latencyMicroseconds: LatencyPercentiles

    /// - Parameter latencies: Of each request, in nanoseconds.
    init(connections: Int, latencies: [Int64], usage: ProcessUsage, instructions: Double?) {
        let count = Double(latencies.count)
        self.connections = connections
        requestsPerSecond = count / usage.time
        userMicroseconds = usage.user / count * 1e6
        systemMicroseconds = usage.system / count * 1e6
        self.instructions = instructions
        latencyMicroseconds = LatencyPercentiles(nanoseconds: latencies)
    }
}

/// A body in one direction.
struct TransferFigures: Codable, Equatable {
    /// In units of 10^9 bytes.
    var gigabytesPerSecond: Double
    var cpuSecondsPerGigabyte: Double

    init(bytes: Int, usage: ProcessUsage) {
        let gigabytes = Double(bytes) / 1e9
        gigabytesPerSecond = gigabytes / usage.time
        cpuSecondsPerGigabyte = usage.cpu / gigabytes
    }
}

/// The memory of the process.
struct MemoryFigures: Codable, Equatable {
    /// The largest resident set until the end of the streams; nil if the system does not tell.
    var peakResidentBytes: Int?
    /// The most heap in use during the streams.
    var peakHeapBytes: Int
    /// Nil if there was no idle connection after the requests.
    var heapBytesPerIdleConnection: Int?
}
