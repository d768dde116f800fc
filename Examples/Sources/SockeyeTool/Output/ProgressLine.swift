import Foundation
import Sockeye

/// A line that tells how far a transfer is, as long as it lasts; nothing where nobody is looking.
struct ProgressLine {
    private static let width = 30
    private let verb: String

    init(_ verb: String) {
        self.verb = verb
    }

    /// Follows a transfer to its end.
    func follow(_ updates: ProgressUpdates, _ each: () -> Void = {}) async {
        let terminal = Terminal.error
        for await progress in updates {
            each()
            if terminal.isInteractive { terminal.write(Data("\r\u{1B}[K\(line(progress))".utf8)) }
        }
        if terminal.isInteractive { terminal.write(Data("\r\u{1B}[K".utf8)) }
    }

    private func line(_ progress: TransferProgress) -> String {
        var parts: [String] = []
        if let fraction = progress.fraction {
            let filled = Int(fraction * Double(Self.width))
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            parts.append("\(bar) \(Int(fraction * 100)) %")
        }
        parts.append("\(Self.size(progress.completed)) \(verb)")
        if let throughput = progress.throughput { parts.append("\(Self.size(Int(throughput)))/s") }
        if let remaining = progress.remaining { parts.append("\(remaining.components.seconds) s left") }
        return parts.joined(separator: "  ")
    }

    private static func size(_ bytes: Int) -> String {
        Int64(bytes).formatted(.byteCount(style: .binary))
    }
}
