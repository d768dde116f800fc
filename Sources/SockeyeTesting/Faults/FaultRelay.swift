import SockeyeCore

/// Relays one direction of a connection and performs the steps of its fault plan.
struct FaultRelay {
    enum End: Sendable {
        /// The source ended this direction; the other direction continues.
        case finished
        case close
        case reset
    }

    let source: TestConnection
    let target: TestConnection
    let clock: ManualClock?
    let faults: @Sendable () -> [FaultProxy.Fault]
    /// Called with the number of bytes of each piece that was passed on.
    let count: @Sendable (Int) -> Void
    var plan: FaultPlan

    private static let pieceSize = 16 << 10

    mutating func run() async -> End {
        do {
            while let piece = try await source.read(upTo: Self.pieceSize) {
                if let end = try await perform(plan.received(piece, under: faults())) { return end }
            }
            return try await perform(plan.ended(under: faults())) ?? .finished
        } catch {
            // One of the two connections has failed, or the proxy is stopping.
            return .close
        }
    }

    private func perform(_ steps: [FaultPlan.Step]) async throws -> End? {
        for step in steps {
            switch step {
            case .wait(let duration): try await Delay(clock: clock).sleep(for: duration)
            case .send(let bytes):
                try await target.write(bytes)
                count(bytes.count)
            case .finish:
                try await target.closeWrite()
                return .finished
            case .close:
                try await target.closeWrite()
                return .close
            case .reset: return .reset
            }
        }
        return nil
    }
}
