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
    /// CPU time.
    var userMicrosecondsPerRequest: Double
    /// CPU time.
    var systemMicrosecondsPerRequest: Double
    /// Nil if the machine does not count instructions.
    var userInstructionsPerRequest: Double?
    var latencyMicroseconds: LatencyPercentiles

    /// - Parameters:
    ///   - latencies: Of each request, in nanoseconds.
    ///   - instructions: Per request.
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
