import Testing

@testable import BenchmarkKit
@testable import BenchmarkReport

@Suite struct LifecycleColumnTests {
    private func sample(
        footprint: Footprint? = nil, resumed: Double? = nil
    ) -> Sample {
        var sample = Sample(
            requests: 10, bytes: 130, seconds: 2, user: 0.03, system: 0.01, instructions: 80_000, p50: 4000, p99: 5000,
            p999: 6000, idleKiB: 10_000, peakKiB: 15_000, errors: 0)
        sample.footprint = footprint
        sample.resumed = resumed
        return sample
    }

    private func value(_ figure: String, _ columns: [Column], _ sample: Sample) throws -> Double? {
        try #require(columns.first { $0.heading.figure == figure }).value(sample)
    }

    @Test("The memory of an idle connection is that of all connections divided by their number")
    func idleConnections() throws {
        let sample = sample(footprint: Footprint(descriptors: 100, heapBytes: 204_800, residentBytes: 409_600))
        #expect(try value(FigureName.heapPerConnection, Column.idleConnections, sample) == 2)
        #expect(try value("rss-per-connection", Column.idleConnections, sample) == 4)
        #expect(try value("connections", Column.idleConnections, sample) == 100)
        #expect(try value("opening-time", Column.idleConnections, sample) == 2000)
    }

    @Test("Resources left behind by cancellations are shown without division")
    func cancellations() throws {
        let sample = sample(footprint: Footprint(descriptors: 3, heapBytes: 2048, residentBytes: 0))
        #expect(try value(FigureName.requestRate, Column.cancellations, sample) == 5)
        #expect(try value("left-descriptors", Column.cancellations, sample) == 3)
        #expect(try value("left-heap", Column.cancellations, sample) == 2)
    }

    @Test("Resumed sessions are a share of the handshakes, or unknown", arguments: [nil, 0.25])
    func handshakes(resumed: Double?) throws {
        let sample = sample(resumed: resumed)
        #expect(try value("resumed-sessions", Column.handshakes, sample) == resumed.map { $0 * 100 })
        #expect(try value(FigureName.cpu, Column.handshakes, sample) == 4000)
    }

    @Test("The time of a start is in milliseconds, and its CPU time is per process")
    func starts() throws {
        #expect(try value("first-answer", Column.starts, sample()) == 4)
        #expect(try value(FigureName.cpu, Column.starts, sample()) == 4)
    }
}
