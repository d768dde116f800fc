package import SockeyeCore
import SockeyeNet

extension IncomingResponse {
    /// The maximum time for reading the body of a response that this client refuses.
    private static let refusedBodyWait = Duration.seconds(2)

    /// Returns an error about this response, with its head and the start of its body as evidence.
    ///
    /// - Parameter clock: The clock for the limit of ``startOfRefusedBody(by:)``.
    package func refusal(
        _ code: SockeyeError.Code, _ message: String, blame: SockeyeError.Blame = .peer, by clock: CallClock = .system
    ) async -> SockeyeError {
        refusal(code, message, body: await startOfRefusedBody(by: clock)).with { $0.blame = blame }
    }

    /// Returns the start of the body like ``leadingBytes()``, but only the bytes that arrive within two seconds. The
    /// stall deadline does not suffice, because each received byte renews it: a server that sends single bytes could
    /// delay the error for the refused response.
    package func startOfRefusedBody(by clock: CallClock) async -> Bytes {
        if let whole = head.reader.takeComplete() {
            return whole.slice(0..<min(whole.count, SockeyeError.Evidence.bodyLimit))
        }
        let deadline = clock.time.now.advanced(by: Self.refusedBodyWait)
        return await withTaskGroup(of: (bytes: Bytes?, isOver: Bool).self) { group in
            group.addTask { (await leadingBytes().bytes, true) }
            // If the timer fails, the body is read without this time limit.
            group.addTask { (nil, (try? await clock.sleep(until: deadline)) != nil) }
            var start = Bytes()
            for await (bytes, isOver) in group {
                if let bytes { start = bytes }
                if isOver { group.cancelAll() }
            }
            return start
        }
    }
}
