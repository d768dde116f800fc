import Foundation
import Testing

/// Runs the table of habits. `sockeye` runs in this process; the habits of curl are also compared with the curl of this
/// machine, and those of httpie with the program that `SOCKEYE_HTTPIE` names, if there is one.
@Suite("Habits of curl and httpie", .timeLimit(.minutes(3)))
struct HabitTests {
    private static let curl = [
        "/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl",
    ].first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let httpie = ProcessInfo.processInfo.environment["SOCKEYE_HTTPIE"]

    @Test(arguments: Habit.all)
    func `each habit has the outcome that the table says`(habit: Habit) async throws {
        let run = try await HabitRun.run(habit)
        #expect(run.differences(from: habit, includesError: true) == [])
        if case .refused = habit.outcome {
            #expect(!habit.error.isEmpty, "a refusal says what to do instead")
            #expect(run.status != 0)
        }
    }

    @Test(
        .enabled(if: curl != nil, "curl is not installed: the habits are not compared with it"),
        arguments: Habit.all.filter { $0.isOfCurl && $0.isComparable })
    func `curl does the same, or something else if the table says so`(habit: Habit) async throws {
        let program = try #require(Self.curl)
        try await compare(habit, with: program)
    }

    @Test(
        .enabled(if: httpie != nil, "SOCKEYE_HTTPIE is not set: the habits are not compared with httpie"),
        arguments: Habit.all.filter { !$0.isOfCurl && $0.isComparable })
    func `httpie does the same, or something else if the table says so`(habit: Habit) async throws {
        let program = try #require(Self.httpie)
        try await compare(habit, with: program)
    }

    private func compare(_ habit: Habit, with program: String) async throws {
        let run = try await HabitRun.run(habit, program: program)
        let differences = run.differences(from: habit, includesError: false)
        switch habit.outcome {
        case .equal: #expect(differences == [], "\(run.error)")
        case .different(let reason): #expect(differences != [], "no difference any more: \(reason)")
        case .refused: break
        }
    }

    @Test
    func `the table has at least ninety habits, each once`() {
        #expect(Habit.all.count >= 90)
        #expect(Set(Habit.all.map(\.line)).count == Habit.all.count)
    }
}

extension Habit {
    /// The table.
    static let all = requests + contents + forms + outputs + transfers + policies + items + otherOptions
}
