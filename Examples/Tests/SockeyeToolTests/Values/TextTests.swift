import Sockeye
import Testing

@testable import SockeyeToolKit

@Suite("Text")
struct TextTests {
    private static let sample: JSONValue = ["a": 1, "b": ["x", nil, true], "c": ["d": 0.10], "e": [], "f": [:]]

    @Test
    func `JSON is indented with its members in order`() {
        let text = JSONPrinter(Presentation(isIndented: true, isColored: false)).text(Self.sample)
        #expect(
            text == """
                {
                  "a": 1,
                  "b": [
                    "x",
                    null,
                    true
                  ],
                  "c": {
                    "d": 0.1
                  },
                  "e": [],
                  "f": {}
                }
                """)
    }

    @Test
    func `JSON that is only coloured stays in one line, each kind in its colour`() {
        let text = JSONPrinter(Presentation(isIndented: false, isColored: true)).text(["k": ["s", 1.50, nil, false]])
        #expect(
            text == "{\u{1B}[34m\"k\"\u{1B}[0m:[\u{1B}[32m\"s\"\u{1B}[0m,\u{1B}[35m1.5\u{1B}[0m,"
                + "\u{1B}[90mnull\u{1B}[0m,\u{1B}[33mfalse\u{1B}[0m]}")
    }

    @Test
    func `numbers keep the digits that they came with`() {
        let printer = JSONPrinter(Presentation(isIndented: false, isColored: false))
        #expect(
            printer.text(parsing: Bytes("[1.500, 1e400, 123456789012345678901234567890]"))
                == "[1.500,1e400,123456789012345678901234567890]")
        #expect(printer.text(parsing: Bytes("{oops")) == nil)
    }

    // C1 controls control terminals as ESC does, and bidirectional marks can make text misleading.
    @Test(arguments: ["\u{9B}31m", "\u{7F}", "\u{202E}abc", "\u{2066}", "\u{61C}", "\u{1B}[2J"])
    func `terminal controls are escaped`(text: String) throws {
        let printed = JSONPrinter(Presentation(isIndented: true, isColored: false)).text([.string(text)])
        #expect(printed.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
        #expect(try JSONValue(parsing: printed) == [.string(text)])
    }

    @Test(
        arguments: [
            (nil, true, [:], true, true), (nil, false, [:], false, false), (nil, true, ["NO_COLOR": "1"], true, false),
            (nil, true, ["TERM": "dumb"], true, false), (.all, false, ["NO_COLOR": "1"], true, true),
            (.colors, false, [:], false, true), (.format, false, [:], true, false),
            (.some(.none), true, [:], false, false),
        ] as [(Presentation.Choice?, Bool, [String: String], Bool, Bool)])
    func `indentation and colours depend on the option, the terminal and the environment`(
        choice: Presentation.Choice?, isTerminal: Bool, environment: [String: String], isIndented: Bool, isColored: Bool
    ) {
        #expect(
            Presentation(choice, isTerminal: isTerminal, environment: environment)
                == Presentation(isIndented: isIndented, isColored: isColored))
    }

    @Test(
        arguments: [
            ("application", "json", .json), ("application", "problem+json", .json), ("Application", "JSON", .json),
            ("application", "x-ndjson", .jsonLines), ("text", "html", .asItIs), (nil, nil, .asItIs),
        ] as [(String?, String?, Presentation.Form)])
    func `the media type identifies JSON`(type: String?, subtype: String?, form: Presentation.Form) {
        #expect(Presentation(isIndented: true, isColored: false).form(ofType: type, subtype: subtype) == form)
        #expect(Presentation.raw.form(ofType: type, subtype: subtype) == .asItIs)
    }

    @Test(arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (1_048_575, "1.0 MiB"),
        (12 << 20, "12.0 MiB"),
        (5 << 40, "5.0 TiB"), (.max, "8.0 EiB"), (-1, "0 B"),
    ])
    func `sizes take few characters`(count: Int, text: String) {
        #expect(Figures.bytes(count) == text)
    }

    @Test(
        arguments: [
            (.zero, "0 µs"), (.microseconds(740), "740 µs"), (.nanoseconds(999_700), "1.0 ms"),
            (.microseconds(12_345), "12.3 ms"), (.milliseconds(250), "250 ms"), (.milliseconds(1500), "1.50 s"),
            (.seconds(95), "95 s"),
        ] as [(Duration, String)])
    func `times have three digits`(time: Duration, text: String) {
        #expect(Figures.time(time) == text)
    }

    @Test
    func `remaining times look like a clock, and counts have thousands separators`() {
        #expect(
            [5, 59, 60, 187, 3765].map { Figures.wait(.seconds($0)) } == ["5 s", "59 s", "1:00", "3:07", "1:02:45"])
        #expect([0, 999, 1000, 1_234_567, -1000].map(Figures.count) == ["0", "999", "1,000", "1,234,567", "-1,000"])
        #expect(Figures.fixed(-1.25, 1) == "-1.3")
        #expect(Figures.fixed(9.96, 1) == "10.0")
    }
}
