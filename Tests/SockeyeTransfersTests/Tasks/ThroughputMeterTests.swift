import Sockeye
import SockeyeCore
import SockeyeTransfers
import Testing

@Suite("Throughput meters") struct ThroughputMeterTests {
    private func meter(_ readings: [(bytes: Int, milliseconds: Int)]) -> ThroughputMeter {
        var meter = ThroughputMeter()
        for reading in readings {
            meter.read(reading.bytes, at: .zero.advanced(by: .milliseconds(reading.milliseconds)))
        }
        return meter
    }

    @Test("the throughput is unknown before two readings at least 20 ms apart")
    func unknown() {
        #expect(meter([]).throughput == nil)
        #expect(meter([(0, 0)]).throughput == nil)
        #expect(meter([(0, 0), (1000, 5)]).throughput == nil)
    }

    @Test("a steady rate is measured exactly")
    func steady() {
        let readings = (0...50).map { (bytes: $0 * 100_000, milliseconds: $0 * 100) }
        let throughput = meter(readings).throughput ?? 0
        #expect(abs(throughput - 1_000_000) < 1)
    }

    @Test("a stall of 100 ms lowers the throughput by less than 10 %, and a stall of ten seconds to almost zero")
    func changes() {
        let readings =
            (0...20).map { (bytes: $0 * 100_000, milliseconds: $0 * 100) }
            + (21...120).map { (bytes: 2_000_000, milliseconds: $0 * 100) }
        #expect((meter(Array(readings.prefix(22))).throughput ?? 0) > 900_000)
        #expect((meter(readings).throughput ?? 1e9) < 20_000)
    }

    @Test("the meter starts over if its counter runs backwards")
    func restart() {
        #expect(meter([(0, 0), (1000, 1000), (0, 2000)]).throughput == nil)
        #expect(meter([(0, 0), (1000, 1000), (0, 2000), (500, 3000)]).throughput == 500)
    }

    @Test("skipped bytes are not part of the throughput")
    func skipped() {
        var meter = meter([(0, 0)])
        meter.skip(400_000_000)
        meter.read(405_000_000, at: .zero.advanced(by: .seconds(1)))
        #expect(meter.throughput == 5_000_000)
        // A skip between readings keeps the rate.
        meter.skip(-200_000_000)
        meter.read(210_000_000, at: .zero.advanced(by: .seconds(2)))
        #expect(meter.throughput == 5_000_000)
    }
}
