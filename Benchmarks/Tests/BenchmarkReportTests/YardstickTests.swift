import BenchmarkReport
import Foundation
import Testing

@Suite struct YardstickTests {
    @Test("No reading is slow before there is a best reading")
    func unknown() {
        #expect(!Yardstick().isSlow(MachineReading(cpu: 1e9, wall: 1e9)))
    }

    @Test(
        "The larger slowdown counts, of CPU time (other guests) and of wall-clock time (other processes)",
        arguments: [
            (1000, 1100, 1.1, false), (1200, 1200, 1.2, false), (1210, 1210, 1.21, true), (1000, 2000, 2, true),
            (1300, 1100, 1.3, true), (900, 900, 0.9, false),
        ] as [(Double, Double, Double, Bool)])
    func slowdown(cpu: Double, wall: Double, slowdown: Double, isSlow: Bool) {
        var yardstick = Yardstick()
        yardstick.learn(MachineReading(cpu: 1000, wall: 1000))
        let reading = MachineReading(cpu: cpu, wall: wall)
        #expect(abs(yardstick.slowdown(of: reading) - slowdown) < 1e-9)
        #expect(yardstick.isSlow(reading) == isSlow)
    }

    @Test("The best values count, whenever they were read")
    func best() {
        var yardstick = Yardstick()
        for (cpu, wall) in [(2000, 2000), (1000, 4000), (3000, 1000)] as [(Double, Double)] {
            yardstick.learn(MachineReading(cpu: cpu, wall: wall))
        }
        #expect(yardstick.slowdown(of: MachineReading(cpu: 1000, wall: 1000)) == 1)
    }

    @Test("A sample becomes disturbed if a later reading is better")
    func hindsight() {
        let conditions = SampleConditions(
            before: MachineReading(cpu: 2000, wall: 2000), after: MachineReading(cpu: 2000, wall: 2000), repeats: 0)
        var yardstick = Yardstick()
        yardstick.learn(conditions.before)
        #expect(!conditions.isDisturbed(by: yardstick))
        yardstick.learn(MachineReading(cpu: 1000, wall: 1000))
        #expect(conditions.isDisturbed(by: yardstick))
    }

    @Test(
        "Distances have their own limit, and an unknown distance counts as near",
        arguments: [(60, false), (132, false), (133, true), (400, true), (nil, false)] as [(Double?, Bool)])
    func cores(distance: Double?, isSlow: Bool) {
        var yardstick = Yardstick()
        let reading = MachineReading(cpu: 1000, wall: 1000, coreDistance: distance)
        yardstick.learn(MachineReading(cpu: 1000, wall: 1000))
        #expect(!yardstick.isSlow(reading))
        yardstick.learn(MachineReading(cpu: 2000, wall: 2000, coreDistance: 60))
        yardstick.learn(MachineReading(cpu: 1000, wall: 1000, coreDistance: 300))
        #expect(yardstick.isSlow(reading) == isSlow)
        #expect(yardstick.isFarApart(reading) == isSlow)
        #expect(!yardstick.isBusy(reading))
    }

    @Test("Older readings without a distance are decoded")
    func older() throws {
        let json = Data(#"{"before":{"cpu":1,"wall":2},"after":{"cpu":3,"wall":4},"repeats":0}"#.utf8)
        let conditions = try JSONDecoder().decode(SampleConditions.self, from: json)
        #expect(conditions.before == MachineReading(cpu: 1, wall: 2))
        #expect(conditions.coreDistance == nil)
    }

    @Test("A sample has the larger distance of its two readings, unless the cores were moved in between")
    func worseEnd() {
        let (near, far) = (reading(80), reading(400))
        #expect(SampleConditions(before: near, after: reading(90), repeats: 0).coreDistance == 90)
        #expect(SampleConditions(before: near, after: far, repeats: 0).coreDistance == nil)
        #expect(SampleConditions(before: reading(nil), after: near, repeats: 0).coreDistance == 80)
    }

    private func reading(_ distance: Double?) -> MachineReading {
        MachineReading(cpu: 1, wall: 1, coreDistance: distance)
    }
}
