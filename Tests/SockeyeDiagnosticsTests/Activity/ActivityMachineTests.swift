import SockeyeCore
import Testing

@testable import Sockeye
@testable import SockeyeDiagnostics

@Suite("The states of network activity") struct ActivityMachineTests {
    /// A time in milliseconds, the change at that time, and the resulting state.
    struct Step: Sendable {
        let time: Int
        /// Nil if only the time passes.
        var isOccurring: Bool?
        let state: NetworkActivity.State
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
    }

    private static func begins(_ time: Int, _ state: NetworkActivity.State) -> Step {
        Step(time: time, isOccurring: true, state: state)
    }

    private static func ends(_ time: Int, _ state: NetworkActivity.State) -> Step {
        Step(time: time, isOccurring: false, state: state)
    }

    private static func passes(_ time: Int, _ state: NetworkActivity.State) -> Step {
        Step(time: time, state: state)
    }

    static let courses = [
        Course(
            testDescription: "activity of a second shows, until 0.17 s after its end",
            steps: [
                begins(0, .delayingStart), passes(999, .delayingStart), passes(1000, .active), ends(5000, .delayingEnd),
                passes(5169, .delayingEnd), passes(5170, .inactive),
            ]),
        Course(
            testDescription: "activity shorter than a second never shows",
            steps: [
                begins(0, .delayingStart), ends(500, .delayingStart), passes(1000, .inactive), passes(9000, .inactive),
            ]),
        Course(
            testDescription: "a pause does not restart the start delay",
            steps: [
                begins(0, .delayingStart), ends(100, .delayingStart), begins(990, .delayingStart),
                passes(1000, .active),
            ]),
        Course(
            testDescription: "activity that resumes within the end delay stays active",
            steps: [
                begins(0, .delayingStart), passes(1000, .active), ends(2000, .delayingEnd), begins(2169, .active),
                passes(2170, .active), passes(9000, .active), ends(9000, .delayingEnd), passes(9170, .inactive),
            ]),
        Course(
            testDescription: "activity that resumes later waits for the start delay again",
            steps: [
                begins(0, .delayingStart), passes(1000, .active), ends(2000, .delayingEnd), passes(2170, .inactive),
                begins(2170, .delayingStart), passes(3169, .delayingStart), passes(3170, .active),
            ]),
        Course(
            testDescription: "a timer that is late changes nothing",
            steps: [begins(0, .delayingStart), ends(4000, .delayingEnd), begins(9000, .delayingStart)]),
    ]

    @Test(arguments: courses)
    func course(course: Course) {
        var machine = ActivityMachine(activationDelay: .seconds(1), completionDelay: .milliseconds(170))
        #expect(machine.phase == .inactive)
        for step in course.steps {
            let now = MonotonicTime.zero.advanced(by: .milliseconds(step.time))
            if let isOccurring = step.isOccurring {
                machine.set(isOccurring: isOccurring, at: now)
            } else {
                machine.advance(to: now)
            }
            #expect(machine.phase == step.state, "at \(step.time)")
            #expect((machine.deadline != nil) == (step.state == .delayingStart || step.state == .delayingEnd))
        }
    }

    @Test("without delays the state follows the activity at once")
    func noDelays() {
        var machine = ActivityMachine(activationDelay: .zero, completionDelay: .zero)
        machine.set(isOccurring: true, at: .zero)
        #expect(machine.phase == .active)
        machine.set(isOccurring: false, at: .zero)
        #expect(machine.phase == .inactive)
    }
}

@Suite("Calls in flight") struct CallsInFlightTests {
    @Test("a call counts until its content has been received")
    func content() {
        var calls = CallsInFlight()
        calls.callDidStart(1, of: nil)
        #expect(calls.count == 1)
        calls.exchangeDidStart(1)
        calls.exchangeDidEnd(1)  // The call is redirected.
        calls.exchangeDidStart(1)
        calls.callDidReturn(1, isAnswered: true)
        #expect(calls.count == 1)
        calls.exchangeDidEnd(1)
        #expect(calls.count == 0)
        calls.exchangeDidStart(1)  // An exchange in the background.
        calls.exchangeDidEnd(1)
        #expect(calls.count == 0)
    }

    @Test("a call that fails or is answered by a cache ends when it returns")
    func withoutContent() {
        var calls = CallsInFlight()
        calls.callDidStart(1, of: nil)
        calls.callDidStart(2, of: nil)
        calls.exchangeDidStart(2)
        calls.callDidReturn(1, isAnswered: true)
        #expect(calls.count == 1)
        calls.callDidReturn(2, isAnswered: false)
        calls.exchangeDidEnd(2)
        #expect(calls.count == 0)
    }

    @Test("calls of paused tasks do not count")
    func pauses() {
        var calls = CallsInFlight()
        calls.taskDidPause(7)
        calls.taskDidResume(7)
        calls.callDidStart(1, of: 7)
        calls.callDidStart(2, of: 8)
        #expect(calls.count == 2)
        calls.taskDidPause(7)
        calls.taskDidPause(7)
        #expect(calls.count == 1)
        calls.callDidStart(3, of: 7)
        #expect(calls.count == 1)
        calls.callDidReturn(1, isAnswered: true)
        #expect(calls.count == 1)
        calls.taskDidResume(7)
        calls.taskDidResume(7)
        #expect(calls.count == 2)
        calls.callDidReturn(2, isAnswered: true)
        calls.callDidReturn(3, isAnswered: true)
        #expect(calls.count == 0)
    }
}
