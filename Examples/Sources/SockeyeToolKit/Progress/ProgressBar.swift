import Sockeye
import SockeyeTransfers

/// A line with the progress of a transfer, laid out for any width.
///
/// If there is no room for all parts, they are omitted in this order: time left, throughput, bar, size. The percentage
/// is never omitted. If the total is unknown, the size is never omitted.
package struct ProgressBar: Sendable {
    private static let longest = 40
    private static let shortest = 8
    private static let gap = "  "

    private let verb: String
    private let glyphs: Glyphs

    /// - Parameter verb: The participle for the bytes, such as "received".
    package init(_ verb: String, glyphs: Glyphs = .blocks) {
        self.verb = verb
        self.glyphs = glyphs
    }

    /// Returns the line. It has at most `width` - 1 columns, because some terminals begin a new row after the last
    /// column.
    package func line(_ progress: TransferProgress, width: Int) -> String {
        let columns = max(1, width - 1)
        let size = "\(Figures.bytes(progress.completed)) \(verb)"
        let rate = progress.throughput.map { "\(Figures.bytes(Int(min($0, 1e18))))/s" }
        let left = progress.remaining.map { "\(Figures.wait($0)) left" }
        guard let fraction = progress.fraction else {
            return Self.fitting([size, rate].compactMap(\.self), columns)
        }
        let share = "\(Int(fraction * 100)) %".right(5)
        var texts = [share]
        var room = columns - share.count
        guard room >= 0 else { return String(share.drop { $0 == " " }.prefix(columns)) }
        if size.count + Self.gap.count <= room {
            texts.append(size)
            room -= size.count + Self.gap.count
        }
        guard room >= Self.shortest + Self.gap.count else { return texts.joined(separator: Self.gap) }
        room -= Self.shortest + Self.gap.count
        for text in [rate, left].compactMap(\.self) {
            guard text.count + Self.gap.count <= room else { break }
            texts.append(text)
            room -= text.count + Self.gap.count
        }
        let bar = glyphs.bar(fraction, width: min(Self.longest, Self.shortest + room))
        return ([bar] + texts).joined(separator: Self.gap)
    }

    /// Joins as many leading parts as fit; the first part is shortened if necessary.
    private static func fitting(_ parts: [String], _ columns: Int) -> String {
        var line = String(parts[0].prefix(columns))
        for part in parts.dropFirst() {
            guard line.count + gap.count + part.count <= columns else { break }
            line += gap + part
        }
        return line
    }
}

/// The characters that bars consist of.
package struct Glyphs: Sendable, Hashable {
    package let full: Character
    package let empty: Character

    package static let blocks = Glyphs(full: "█", empty: "░")
    /// Characters for terminals without UTF-8.
    package static let ascii = Glyphs(full: "#", empty: ".")

    /// Chooses characters by the locale's character set, which the first variable that is set names (POSIX.1-2017 8.2).
    package init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUnicode = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
        self = isUnicode ? .blocks : .ascii
    }

    private init(full: Character, empty: Character) {
        self.full = full
        self.empty = empty
    }

    /// Returns a bar that is filled to a fraction.
    func bar(_ fraction: Double, width: Int) -> String {
        let filled = Int((min(1, max(0, fraction)) * Double(width)).rounded(.down))
        return String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    }
}
