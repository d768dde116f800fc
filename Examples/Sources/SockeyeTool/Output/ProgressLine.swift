import Foundation
import Sockeye
import SockeyeToolKit
import SockeyeTransfers

/// The progress bar of a transfer on standard error, shown only on a terminal.
struct ProgressLine {
    private static let pace = Duration.milliseconds(100)

    private let bar: ProgressBar
    private let isShown: Bool
    private var live = LiveLine()
    private var start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    /// - Parameter isShown: False to show nothing. Nothing is shown either if standard error is not a terminal.
    init(_ verb: String, isShown: Bool) {
        bar = ProgressBar(verb, glyphs: Glyphs(environment: ProcessInfo.processInfo.environment))
        self.isShown = isShown && Terminal.error.isInteractive
    }

    /// Follows a transfer to its end.
    mutating func follow(_ updates: TransferProgress.Updates, _ each: () async -> Void = {}) async {
        for await progress in updates {
            await each()
            draw(progress)
        }
        clear()
    }

    /// Follows counts of bytes from a stream, and redraws the bar about ten times a second.
    mutating func follow(_ counts: AsyncStream<Int>, total: Int?) async {
        for await count in counts {
            show(count, of: total)
            try? await Task.sleep(for: Self.pace)
        }
        clear()
    }

    /// Redraws the bar unless it was drawn less than 100 ms ago. The throughput is the average from the beginning.
    mutating func show(_ completed: Int, of total: Int?) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let last, now - last < Self.pace { return }
        last = now
        let seconds = (now - start) / .seconds(1)
        draw(
            TransferProgress(
                completed: completed, total: total, throughput: seconds > 0.2 ? Double(completed) / seconds : nil))
    }

    mutating func clear() {
        guard isShown else { return }
        send(live.clear(width: Terminal.error.width))
    }

    private mutating func draw(_ progress: TransferProgress) {
        guard isShown else { return }
        let width = Terminal.error.width
        send(live.draw(bar.line(progress, width: width), width: width))
    }

    private func send(_ text: String) {
        try? Terminal.error.write(Bytes(text))
    }
}
