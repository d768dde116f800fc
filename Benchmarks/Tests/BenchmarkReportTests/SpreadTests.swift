import BenchmarkReport
import Testing

@Suite struct SpreadTests {
    @Test(
        "The median is the middle value, or the mean of the two middle values",
        arguments: [([3], 3), ([9, 1, 4], 4), ([4, 1, 3, 2], 2.5)] as [([Double], Double)])
    func median(values: [Double], expected: Double) {
        #expect(Spread(values)?.median == expected)
    }

    @Test("The range has the smallest and the largest value")
    func range() {
        let spread = Spread([5.0, -1, 3])
        #expect(spread?.least == -1)
        #expect(spread?.most == 5)
    }

    @Test("A spread without values is nil")
    func nothing() {
        #expect(Spread([]) == nil)
    }
}
