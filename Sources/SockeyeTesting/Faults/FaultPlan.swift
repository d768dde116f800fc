import SockeyeCore

/// A state machine without I/O that applies faults to one direction of a connection.
struct FaultPlan {
    enum Step: Hashable {
        case wait(Duration)
        case send(Bytes)
        /// Shuts down this direction (FIN) after all bytes were sent.
        case finish
        /// Closes the connection without a reset.
        case close
        case reset
    }

    /// The number of pieces into which the bytes of one second are split at a limited bandwidth.
    private static let stepsPerSecond = 20

    /// The number of bytes that have passed so far, without inserted garbage.
    private var passed = 0
    private var isSilent = false
    private var isOver = false
    private var injected: Set<FaultProxy.Fault> = []
    private var chosen: [FaultProxy.Fault: Bool] = [:]
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
    }

    /// Returns the steps to perform for a piece that arrived while `faults` were set.
    mutating func received(_ piece: Bytes, under faults: [FaultProxy.Fault]) -> [Step] {
        guard !isSilent, !isOver else { return [] }
        let faults = active(faults)
        let end = nextEnd(faults)
        let room = end.map { max(0, $0.position - passed) } ?? .max
        let allowed = piece.count > room ? piece.slice(0..<room) : piece
        var steps = delays(faults)
        let content = damaged(allowed, by: faults)
        passed += allowed.count
        if content.isEmpty { steps = [] }
        steps += paced(content, by: faults)
        guard let end, room <= piece.count else { return steps }
        switch end.step {
        case nil: isSilent = true
        case let step?:
            isOver = true
            steps.append(step)
        }
        return steps
    }

    /// Returns the steps to perform when the source has ended this direction.
    mutating func ended(under faults: [FaultProxy.Fault]) -> [Step] {
        guard !isOver else { return [] }
        isOver = true
        // The end of a silent direction closes the whole connection, not only this direction.
        guard !isSilent else { return [.close] }
        let delays: [Step] = active(faults).compactMap { fault in
            if case .slowClose(let delay) = fault.kind { .wait(delay) } else { nil }
        }
        return delays + [.finish]
    }

    /// Returns the faults that apply. For a fault with a probability, one random number per connection and direction
    /// decides.
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
        /// The step that ends the direction; nil for silence.
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
        // Bytes are flipped before garbage is inserted, because inserting shifts the positions of the bytes after it.
        for fault in faults {
            guard case .flip(let position) = fault.kind, piece.indices.contains(position - passed) else { continue }
            bytes = bytes ?? Array(piece)
            bytes?[position - passed] ^= 0xFF
        }
        var insertions: [(position: Int, garbage: [UInt8])] = []
        for fault in faults where !injected.contains(fault) {
            guard case .garbage(let position, let count) = fault.kind, position >= passed,
                position - passed <= piece.count, !piece.isEmpty
            else { continue }
            injected.insert(fault)
            insertions.append((position - passed, (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
        }
        // From the last position to the first, because inserting shifts the positions of the bytes after it.
        for (position, garbage) in insertions.sorted(by: { $0.position < $1.position }).reversed() {
            bytes = bytes ?? Array(piece)
            bytes?.insert(contentsOf: garbage, at: position)
        }
        return bytes.map { Bytes($0) } ?? piece
    }

    /// Splits the bytes into pieces of the smallest size that a fault demands. After each piece comes a wait for the
    /// time that the piece takes at the limited bandwidth. Between two pieces, the wait is at least the longest pause
    /// that a `slices` fault demands.
    private func paced(_ bytes: Bytes, by faults: [FaultProxy.Fault]) -> [Step] {
        var (size, gap, rate) = (Int.max, Duration.zero, Int?.none)
        for fault in faults {
            switch fault.kind {
            case .slices(let limit, let pause): (size, gap) = (min(size, limit), max(gap, pause))
            case .bandwidth(let limit): rate = min(rate ?? .max, limit)
            default: break
            }
        }
        if let rate { size = min(size, max(1, rate / Self.stepsPerSecond)) }
        var steps: [Step] = []
        var sent = 0
        while sent < bytes.count {
            let count = min(size, bytes.count - sent)
            steps.append(.send(bytes.slice(sent..<sent + count)))
            sent += count
            let time = rate.map { Duration.seconds(1) * (Double(count) / Double($0)) } ?? .zero
            let pause = sent < bytes.count ? max(gap, time) : time
            if pause > .zero { steps.append(.wait(pause)) }
        }
        return steps
    }
}

/// SplitMix64, a generator that returns the same numbers for the same seed on every machine.
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
