import SockeyeCore

/// What is done with the bytes of one direction of a connection: a state machine without I/O, fed with the pieces as they
/// come and the faults as they are at that moment.
struct FaultPlan {
    enum Step: Hashable {
        case wait(Duration)
        case send(Bytes)
        /// Ends the direction in good order.
        case finish
        /// Closes the connection in good order.
        case close
        case reset
    }

    /// A bandwidth is kept in steps of this part of a second.
    private static let stepsPerSecond = 20

    private var passed = 0
    private var isSilent = false
    private var isOver = false
    private var injected: Set<FaultProxy.Fault> = []
    private var chosen: [FaultProxy.Fault: Bool] = [:]
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
    }

    /// What to do with the bytes that came.
    mutating func received(_ piece: Bytes, under faults: [FaultProxy.Fault]) -> [Step] {
        guard !isSilent, !isOver else { return [] }
        let faults = active(faults)
        let end = nextEnd(faults)
        let room = end.map { max(0, $0.position - passed) } ?? .max
        let allowed = piece.count > room ? piece.slice(0..<room) : piece
        var steps = delays(faults)
        var content = damaged(allowed, by: faults)
        passed += allowed.count
        if content.isEmpty { steps = [] }
        steps += paced(&content, by: faults)
        guard let end, room <= piece.count else { return steps }
        switch end.step {
        case nil: isSilent = true
        case let step?:
            isOver = true
            steps.append(step)
        }
        return steps
    }

    /// What to do when the direction has ended.
    mutating func ended(under faults: [FaultProxy.Fault]) -> [Step] {
        guard !isOver else { return [] }
        isOver = true
        // Nobody may notice, until one end gives up for good.
        guard !isSilent else { return [.close] }
        let delays: [Step] = active(faults).compactMap { fault in
            if case .slowClose(let delay) = fault.kind { .wait(delay) } else { nil }
        }
        return delays + [.finish]
    }

    /// Those that concern this connection, which is decided once.
    private mutating func active(_ faults: [FaultProxy.Fault]) -> [FaultProxy.Fault] {
        faults.filter { fault in
            guard fault.probability < 1 else { return true }
            if let known = chosen[fault] { return known }
            let isChosen = Double.random(in: 0..<1, using: &random) < fault.probability
            chosen[fault] = isChosen
            return isChosen
        }
    }

    private struct End {
        let position: Int
        /// Nil: silence.
        let step: Step?
    }

    private func nextEnd(_ faults: [FaultProxy.Fault]) -> End? {
        let ends = faults.compactMap { fault -> End? in
            switch fault.kind {
            case .cut(let position): End(position: position, step: .close)
            case .reset(let position): End(position: position, step: .reset)
            case .silence(let position): End(position: position, step: nil)
            default: nil
            }
        }
        return ends.min { $0.position < $1.position }
    }

    private mutating func delays(_ faults: [FaultProxy.Fault]) -> [Step] {
        var total = Duration.zero
        for case .latency(let latency, let jitter) in faults.map(\.kind) {
            let share = jitter > .zero ? Double.random(in: -1...1, using: &random) : 0
            let spread = Duration.clampedSeconds(share * Double(jitter.clampedNanoseconds) / 1e9)
            total = total.addingSaturated(max(.zero, latency.addingSaturated(spread)))
        }
        return total > .zero ? [.wait(total)] : []
    }

    private mutating func damaged(_ piece: Bytes, by faults: [FaultProxy.Fault]) -> Bytes {
        var bytes: [UInt8]?
        // From the last position on, so that what is put in moves no other.
        for fault in faults {
            guard case .flip(let position) = fault.kind, piece.indices.contains(position - passed) else { continue }
            bytes = bytes ?? Array(piece)
            bytes?[position - passed] ^= 0xFF
        }
        for fault in faults where !injected.contains(fault) {
            guard case .garbage(let position, let count) = fault.kind, position >= passed,
                position - passed <= piece.count, !piece.isEmpty
            else { continue }
            injected.insert(fault)
            bytes = bytes ?? Array(piece)
            let garbage = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes?.insert(contentsOf: garbage, at: position - passed)
        }
        return bytes.map { Bytes($0) } ?? piece
    }

    /// The bytes in as many pieces, and with the pauses, that the narrowest fault wants.
    private func paced(_ bytes: inout Bytes, by faults: [FaultProxy.Fault]) -> [Step] {
        var (size, pause, pausesLast) = (Int.max, Duration.zero, false)
        for fault in faults {
            switch fault.kind {
            case .slices(let limit, let gap): (size, pause) = (min(size, limit), max(pause, gap))
            case .bandwidth(let rate):
                let step = max(1, rate / Self.stepsPerSecond)
                size = min(size, step)
                pause = max(pause, .seconds(1) * (Double(size) / Double(rate)))
                pausesLast = true
            default: break
            }
        }
        var steps: [Step] = []
        var sent = 0
        while sent < bytes.count {
            let count = min(size, bytes.count - sent)
            steps.append(.send(bytes.slice(sent..<sent + count)))
            sent += count
            if pause > .zero, sent < bytes.count || pausesLast { steps.append(.wait(pause)) }
        }
        return steps
    }
}

/// SplitMix64: the same numbers from the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
