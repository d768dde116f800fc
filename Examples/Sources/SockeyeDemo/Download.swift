import Sockeye

/// A large body read piece by piece, with a progress bar.
struct Download: Scene {
    let bytes: Int

    func run(_ client: HTTPClient, _ terminal: Terminal) async throws {
        Memory.resetPeak()
        let before = Memory.resident
        var bar = ProgressBar("download of \(size(bytes))", total: bytes, terminal)
        let (received, time) = try await timed {
            let response = try await client.get("/download?\(bytes)")
            var received = 0
            for try await piece in response.body {
                received += piece.count
                bar.show(received)
            }
            return received
        }
        bar.clear()
        guard received == bytes else { throw Mismatch(expected: bytes, seen: "\(received)") }
        terminal.result("download of \(size(bytes))", rate(bytes, in: time), format(time))
        terminal.note("peak memory \(size(Memory.peak)), \(size(max(0, Memory.peak - before))) more than before")
    }
}
