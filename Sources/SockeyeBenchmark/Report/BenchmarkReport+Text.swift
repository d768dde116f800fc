extension BenchmarkReport {
    /// The report as aligned lines for a terminal.
    var text: String {
        let scheme = tls ? "https" : "http"
        let time = NumberText.seconds(seconds)
        let heading = "Sockeye over \(scheme), \(time) per measurement, \(cores) cores, \(system)"
        return ([heading, ""] + requestLines + [""] + streamLines + [""] + memoryLines).joined(separator: "\n")
    }

    private var requestLines: [String] {
        let columns = requests.map { NumberText.connections($0.connections) }
        func row(_ label: String, _ value: (RequestFigures) -> String) -> String {
            Self.line("  \(label)", requests.map(value))
        }
        func latency(_ label: String, _ percentile: KeyPath<LatencyPercentiles, Double>) -> String {
            row("latency \(label)") { NumberText.duration(microseconds: $0.latencyMicroseconds[keyPath: percentile]) }
        }
        return [
            Self.line("Small GETs", columns),
            row("requests per second") { NumberText.grouped($0.requestsPerSecond) },
            row("CPU time per request") {
                NumberText.duration(microseconds: $0.userMicrosecondsPerRequest + $0.systemMicrosecondsPerRequest)
            },
            row("  in user mode") { NumberText.duration(microseconds: $0.userMicrosecondsPerRequest) },
            row("user instructions per request") {
                $0.userInstructionsPerRequest.map(NumberText.grouped) ?? "not available"
            },
            latency("p50", \.p50), latency("p90", \.p90), latency("p99", \.p99), latency("p99.9", \.p999),
            latency("max", \.max),
        ]
    }

    private var streamLines: [String] {
        let streams = [download, upload]
        return [
            Self.line("Streams", ["download", "upload"]),
            Self.line("  GB/s", streams.map { NumberText.significant($0.gigabytesPerSecond) }),
            Self.line(
                "  CPU time per GB",
                streams.map { NumberText.duration(microseconds: $0.cpuSecondsPerGigabyte * 1e6) }),
        ]
    }

    private var memoryLines: [String] {
        let unknown = "not available"
        return [
            "Memory",
            Self.line("  peak RSS during the streams", [memory.peakResidentBytes.map(NumberText.size) ?? unknown]),
            Self.line("  peak heap during the streams", [NumberText.size(memory.peakHeapBytes)]),
            Self.line(
                "  heap per idle connection", [memory.heapBytesPerIdleConnection.map(NumberText.size) ?? unknown]),
        ]
    }

    private static func line(_ label: String, _ values: [String]) -> String {
        func space(_ width: Int, _ text: String) -> String {
            String(repeating: " ", count: max(1, width - text.count))
        }
        return label + space(32, label) + values.map { space(20, $0) + $0 }.joined()
    }
}
