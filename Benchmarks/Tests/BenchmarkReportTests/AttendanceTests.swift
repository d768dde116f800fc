import Testing

@testable import BenchmarkReport

@Suite struct AttendanceTests {
    private func turns(_ client: Int, _ attendance: Attendance) -> [Int] {
        (0..<12).filter { attendance.includes(client, inTurn: $0) }
    }

    @Test("All clients take part in each turn until their speeds are known")
    func unknown() {
        #expect(turns(1, Attendance(fixed: [nil, nil])) == Array(0..<12))
    }

    @Test(
        "A client over twice as slow as the median client has fewer turns",
        arguments: [
            (0.1, Array(0..<12)), (0.39, Array(0..<12)), (0.5, [0, 2, 4, 6, 8, 10]), (1, [0, 5, 10]), (60, [0, 6]),
        ] as [(Double, [Int])])
    func slow(seconds: Double, attended: [Int]) {
        var attendance = Attendance(fixed: [nil, nil, nil])
        attendance.took(0.1, by: 0)
        attendance.took(0.1, by: 1)
        attendance.took(seconds, by: 2)
        #expect(turns(2, attendance) == attended)
        #expect(turns(0, attendance) == Array(0..<12))
    }

    @Test("A client with a fixed interval keeps it at any speed, and does not affect the others' turns")
    func fixed() {
        var attendance = Attendance(fixed: [nil, 3, nil])
        attendance.took(0.1, by: 0)
        attendance.took(0.01, by: 1)
        attendance.took(0.15, by: 2)
        #expect(turns(1, attendance) == [0, 3, 6, 9])
        #expect(turns(2, attendance) == Array(0..<12))
    }

    @Test("Turns of zero duration exclude no client")
    func noTime() {
        var attendance = Attendance(fixed: [nil, nil])
        attendance.took(0, by: 0)
        attendance.took(0, by: 1)
        #expect(turns(0, attendance) == Array(0..<12))
    }
}
