import Sockeye
import SockeyeTransfers
import Testing

@Suite("The states of a task") struct TransferMachineTests {
    private enum Event { case turn, pause, resume, cancel, end }

    private func run(_ events: [Event]) -> (TransferState, [TransferMachine.Action]) {
        var machine = TransferMachine()
        var actions: [TransferMachine.Action] = []
        for event in events {
            switch event {
            case .turn: actions.append(machine.mayStart())
            case .pause: actions.append(machine.pause())
            case .resume: actions.append(machine.resume())
            case .cancel: actions.append(machine.cancel())
            case .end: machine.end()
            }
        }
        return (machine.state, actions)
    }

    @Test("a task runs through its states")
    func states() {
        #expect(run([]) == (.waiting, []))
        #expect(run([.turn]) == (.running, [.begin]))
        #expect(run([.turn, .pause]) == (.paused, [.begin, .suspend]))
        #expect(run([.turn, .pause, .resume]) == (.running, [.begin, .suspend, .resume]))
        #expect(run([.turn, .cancel]) == (.cancelling, [.begin, .cancel]))
        #expect(run([.turn, .pause, .cancel]) == (.cancelling, [.begin, .suspend, .cancel]))
        #expect(run([.turn, .end]) == (.ended, [.begin]))
    }

    @Test("a task can be paused and cancelled before it starts")
    func unbegun() {
        #expect(run([.pause]) == (.paused, [.suspend]))
        #expect(run([.pause, .resume, .turn]) == (.running, [.suspend, .resume, .begin]))
        #expect(run([.cancel]) == (.cancelling, [.endUnstarted]))
        #expect(run([.cancel, .turn]) == (.cancelling, [.endUnstarted, .none]))
        // If its turn comes during a pause, the task begins after the pause.
        #expect(run([.pause, .turn]) == (.paused, [.suspend, .none]))
        #expect(run([.pause, .turn, .resume, .turn]) == (.running, [.suspend, .none, .resume, .begin]))
        #expect(run([.pause, .turn, .cancel]) == (.cancelling, [.suspend, .none, .endUnstarted]))
    }

    @Test("a repeated or late event does nothing")
    func repeated() {
        #expect(run([.turn, .turn]) == (.running, [.begin, .none]))
        #expect(run([.turn, .pause, .pause]) == (.paused, [.begin, .suspend, .none]))
        #expect(run([.turn, .resume]) == (.running, [.begin, .none]))
        #expect(run([.turn, .cancel, .cancel, .pause, .resume]).1 == [.begin, .cancel, .none, .none, .none])
        #expect(run([.turn, .end, .turn, .pause, .resume, .cancel]).1 == [.begin, .none, .none, .none, .none])
    }
}
