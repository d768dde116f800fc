internal import BenchmarkKit

extension Column {
    /// The columns of a scenario about requests.
    package static var requests: [Column] {
        let rate = Column(
            FigureName.requestRate, unit: "req/s", better: .higher, style: .whole, showsRange: true,
            ratioTitle: "speed ratio"
        ) { Double($0.requests) / $0.seconds }
        return [rate] + perRequest("req") + latencies + counts(unit: "/req") + memory
    }

    /// The columns of a scenario about bytes.
    package static var transfers: [Column] {
        let rate = Column(
            FigureName.byteRate, unit: "GB/s", better: .higher, showsRange: true, ratioTitle: "speed ratio"
        ) { Double($0.bytes) / $0.seconds / 1e9 }
        return [rate] + perByte + counts(unit: "/transfer") + memory
    }

    /// The columns with the cost of a request.
    ///
    /// - Parameter name: The noun for a request in the unit.
    static func perRequest(_ name: String) -> [Column] {
        cpu(unit: "µs/\(name)") { $0 / Double($1.requests) * 1e6 } + [
            Column(FigureName.instructions, unit: "k instr/\(name)", pass: .instructions) { sample in
                sample.instructions > 0 ? Double(sample.instructions) / Double(sample.requests) / 1e3 : nil
            }
        ]
    }

    private static var perByte: [Column] {
        cpu(unit: "s/GB") { $0 / Double($1.bytes) * 1e9 } + [
            Column(FigureName.instructions, unit: "instr/KiB", pass: .instructions) { sample in
                sample.instructions > 0 ? Double(sample.instructions) / Double(sample.bytes) * 1024 : nil
            }
        ]
    }

    /// The columns with the CPU time in total, in user mode and in the kernel.
    static func cpu(
        unit: String, per share: @escaping @Sendable (Double, Sample) -> Double
    ) -> [Column] {
        [
            Column(FigureName.cpu, title: "CPU", unit: unit, showsRange: true, ratioTitle: "CPU ratio") {
                share($0.user + $0.system, $0)
            },
            Column(FigureName.userCPU, unit: "user") { share($0.user, $0) },
            Column(FigureName.systemCPU, unit: "system") { share($0.system, $0) },
        ]
    }

    static var latencies: [Column] {
        [
            Column(FigureName.p50, title: "p50", unit: "µs") { $0.p50 },
            Column(FigureName.p99, title: "p99", unit: "µs") { $0.p99 },
            Column(FigureName.p999, title: "p99.9", unit: "µs", pass: .process) { $0.p999 },
        ]
    }

    /// The columns with counts for a request, which do not depend on the speed of the machine.
    static func counts(unit: String) -> [Column] {
        [
            Column(FigureName.allocations, unit: "alloc" + unit, pass: .allocations) { sample in
                sample.allocations.map { Double($0) / Double(sample.requests) }
            },
            Column(FigureName.systemCalls, unit: "calls" + unit, pass: .systemCalls) { sample in
                sample.systemCalls.map { Double($0) / Double(sample.requests) }
            },
            Column(FigureName.switches, unit: "switches" + unit) { sample in
                sample.switches.map { Double($0) / Double(sample.requests) }
            },
        ]
    }

    /// The columns with memory in megabytes of 10⁶ bytes, in line with rates in gigabytes of 10⁹.
    static var memory: [Column] {
        [
            Column(FigureName.peakMemory, title: "RSS", unit: "MB", pass: .process) { sample in
                sample.peakKiB > 0 ? Double(sample.peakKiB) * 1024 / 1e6 : nil
            },
            Column(FigureName.grownMemory, title: "RSS", unit: "+MB", pass: .process) { sample in
                sample.peakKiB > 0 ? Double(sample.peakKiB - sample.idleKiB) * 1024 / 1e6 : nil
            },
        ]
    }
}
