import Sockeye
import SockeyeTransfers
import Testing

@testable import SockeyeToolKit

@Suite("Progress")
struct ProgressTests {
    private static let half = TransferProgress(completed: 5 << 20, total: 10 << 20, throughput: 1_048_576)

    @Test
    func `a wide terminal has everything, with a bar of at most 40 cells`() {
        let line = ProgressBar("received").line(Self.half, width: 200)
        #expect(
            line == String(repeating: "█", count: 20) + String(repeating: "░", count: 20)
                + "   50 %  5.0 MiB received  1.0 MiB/s  5 s left")
    }

    @Test(arguments: [
        (67, "██████████░░░░░░░░░░   50 %  5.0 MiB received  1.0 MiB/s  5 s left"),
        (55, "████░░░░   50 %  5.0 MiB received  1.0 MiB/s  5 s left"),
        (54, "████████░░░░░░░░░   50 %  5.0 MiB received  1.0 MiB/s"),
        (45, "████░░░░   50 %  5.0 MiB received  1.0 MiB/s"), (44, "█████████░░░░░░░░░   50 %  5.0 MiB received"),
        (34, "████░░░░   50 %  5.0 MiB received"), (33, " 50 %  5.0 MiB received"), (24, " 50 %  5.0 MiB received"),
        (23, "███████░░░░░░░░   50 %"), (16, "████░░░░   50 %"), (15, " 50 %"), (6, " 50 %"), (5, "50 %"), (2, "5"),
        (1, "5"), (0, "5"),
    ])
    func `parts of the line are omitted one by one if there is no room`(width: Int, line: String) {
        #expect(ProgressBar("received").line(Self.half, width: width) == line)
    }

    // On a terminal that wraps at its last column, each update would leave an old bar behind.
    @Test
    func `no line fills its terminal, whatever is transferred`() {
        let transfers: [TransferProgress] = [
            Self.half, TransferProgress(), TransferProgress(completed: 0, total: 0),
            TransferProgress(completed: .max, total: .max, throughput: .greatestFiniteMagnitude),
            TransferProgress(completed: 999_999, throughput: 123_456_789), TransferProgress(completed: 7, total: 5),
        ]
        for width in 0...250 {
            for transfer in transfers {
                let line = ProgressBar("received").line(transfer, width: width)
                #expect(line.count <= max(1, width - 1) && !line.isEmpty)
            }
        }
    }

    @Test
    func `a transfer of unknown length has no bar`() {
        let progress = TransferProgress(completed: 2048, throughput: 1024)
        #expect(ProgressBar("sent").line(progress, width: 80) == "2.0 KiB sent  1.0 KiB/s")
        #expect(ProgressBar("sent").line(progress, width: 15) == "2.0 KiB sent")
        #expect(ProgressBar("sent").line(progress, width: 6) == "2.0 K")
    }

    @Test(arguments: [
        (["LANG": "en_US.UTF-8"], Glyphs.blocks), (["LANG": "C"], .ascii), ([:], .ascii),
        (["LC_ALL": "C", "LANG": "en_US.UTF-8"], .ascii), (["LC_ALL": "", "LC_CTYPE": "C.utf8"], .blocks),
    ])
    func `bars are ASCII unless the locale is UTF-8`(environment: [String: String], glyphs: Glyphs) {
        #expect(Glyphs(environment: environment) == glyphs)
    }

    @Test
    func `a line that is drawn again replaces the one before`() {
        var screen = Screen(width: 20)
        var live = LiveLine()
        screen.send("$ command\n")
        screen.send(live.draw("10 %", width: 20))
        screen.send(live.draw("9 %", width: 20))
        #expect(screen.text == "$ command\n9 %")
        screen.send(live.clear(width: 20))
        #expect(screen.text == "$ command\n")
    }

    // Terminals rewrap the lines on the screen when their width changes.
    @Test(arguments: [[80, 40, 30, 17, 9], [20, 80, 20, 80], [10, 5, 3, 2]])
    func `no part of an old bar remains after the terminal is resized`(widths: [Int]) {
        let bar = ProgressBar("received")
        var screen = Screen(width: widths[0])
        var live = LiveLine()
        screen.send("$\n")
        for width in widths {
            screen.resize(to: width)
            let line = bar.line(Self.half, width: width)
            screen.send(live.draw(line, width: width))
            #expect(screen.text == "$\n" + line)
        }
        screen.resize(to: 7)
        screen.send(live.clear(width: 7))
        #expect(screen.text == "$\n")
    }
}

/// A model of a terminal that rewraps lines, with the controls that the line uses: CR, LF, cursor up, erase below.
private struct Screen {
    /// The lines as they were written. The cursor is after the last line, or at the start of one of its rows.
    private var lines: [String] = [""]
    private var width: Int
    private var column = 0

    init(width: Int) {
        self.width = width
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func resize(to width: Int) {
        self.width = width
    }

    mutating func send(_ text: String) {
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("\u{1B}[J") {
                lines[lines.count - 1] = String(lines[lines.count - 1].prefix(column))
                rest = rest.dropFirst(3)
                continue
            }
            if rest.hasPrefix("\u{1B}[") {
                let count = Int(rest.dropFirst(2).prefix { $0.isNumber }) ?? 1
                column = max(0, column - count * width)
                rest = rest.drop { $0 != "A" }.dropFirst()
                continue
            }
            switch character {
            case "\r": column -= column > 0 && column % width == 0 ? width : column % width
            case "\n":
                lines.append("")
                column = 0
            default:
                lines[lines.count - 1] = String(lines[lines.count - 1].prefix(column)) + String(character)
                column += 1
            }
            rest = rest.dropFirst()
        }
    }
}
