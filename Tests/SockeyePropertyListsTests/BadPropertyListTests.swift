import Foundation
import SockeyeCore
import SockeyePropertyLists
import Testing

@Suite("Invalid property lists")
struct BadPropertyListTests {
    @Test(
        "invalid XML is an error that gives the reason",
        arguments: [
            ("", .malformed), (" ", .malformed), ("x", .malformed), ("{ a = 1; }", .malformed),
            ("<plist>", .malformed), ("<plist/>", .malformed), ("<plist></plist>", .malformed),
            ("<plist><string>a</plist>", .malformed), ("<plist><string>a</string>", .malformed),
            ("<plist><true/><true/></plist>", .malformed), ("<plist><true/></plist><plist/>", .malformed),
            ("<plist><array><true/></dict></plist>", .malformed), ("<plist><dict><true/></dict></plist>", .malformed),
            ("<plist><dict><key>a</key></dict></plist>", .malformed), ("<plist><array>x</array></plist>", .malformed),
            ("<plist><integer></integer></plist>", .malformed), ("<plist><integer>1.5</integer></plist>", .malformed),
            ("<plist><integer>--1</integer></plist>", .malformed), ("<integer>+-0</integer>", .malformed),
            ("<integer>0x+5</integer>", .malformed), ("<integer>-0x-0</integer>", .malformed),
            ("<plist><integer>18446744073709551616</integer></plist>", .malformed),
            ("<plist><real>0x1p4</real></plist>", .malformed), ("<plist><data>*</data></plist>", .malformed),
            ("<plist><date>soon</date></plist>", .malformed), ("<plist><blob/></plist>", .malformed),
            ("<plist><string>&b;</string></plist>", .unsupported), ("<plist><string>&</string></plist>", .malformed),
            ("<plist><string>&#xD800;</string></plist>", .unsupported),
            ("<plist><string>&#0;</string></plist>", .unsupported), ("<plist><!-- ", .malformed), ("<", .malformed),
            (
                "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><string>&a;</string></plist>",
                .unsupported
            ),
            ("</dict></dict>", .malformed), ("</string>x</string>", .malformed),
            ("</plist><true/></plist>", .malformed), ("<array></true></array>", .malformed), ("<?xml", .malformed),
            ("<!DOCTYPE", .malformed), ("<!DOCTYPE plist '><true/>", .malformed), ("<plist a='>", .malformed),
        ] as [(String, PropertyListError.Kind)])
    func xml(text: String, kind: PropertyListError.Kind) {
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: Bytes(text)) }
        #expect(error?.kind == kind)
    }

    @Test(
        "an error's offset refers to the given bytes, in each encoding",
        arguments: [
            "<plist>\u{20AC}</plist>", "<plist><string>\u{20AC}\u{1F41F}\u{E9}</string>", "<plist><string>\u{20AC}",
        ])
    func offsets(text: String) throws {
        let (plain, units) = (Array(text.utf8), Array(text.utf16))
        let forms: [([UInt8], [UInt8])] = [
            (plain, Array("<plist>".utf8)), ([0xEF, 0xBB, 0xBF] + plain, [0xEF, 0xBB, 0xBF] + Array("<plist>".utf8)),
            ([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, [UInt8](repeating: 0, count: 16)),
            ([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, [UInt8](repeating: 0, count: 16)),
        ]
        for (bytes, start) in forms {
            let error = try #require(throws: PropertyListError.self) {
                try PropertyListValue(propertyList: Bytes(bytes))
            }
            let isAtEnd = text.contains("<string>")
            #expect(error.offset == (isAtEnd ? bytes.count : start.count), "\(error)")
        }
    }

    @Test("a byte that is invalid UTF-8 in a number is an error, although Foundation's decoder traps")
    func invalidUTF8() {
        let bytes = Bytes(Array("<plist><integer>".utf8) + [0xFF] + Array("1</integer></plist>".utf8))
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: bytes) }
        #expect(error?.kind == .malformed)
    }

    @Test("200 000 nested arrays are an error, although they exhaust the stack of Foundation's decoder")
    func depth() {
        let text = "<plist>" + String(repeating: "<array>", count: 200_000)
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: Bytes(text)) }
        #expect(error?.kind == .tooDeep)
    }

    @Test("a list of 200 levels is read, decoded and freed, and one of 201 is refused", arguments: ["", "<true/>"])
    func deepest(innermost: String) throws {
        let text = String(repeating: "<array>", count: 200) + innermost + String(repeating: "</array>", count: 200)
        let value = try PropertyListValue(propertyList: Bytes(text))
        #expect(try value.decodedPropertyList(as: PropertyListValue.self) == value)
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(propertyList: Bytes("<array>" + text + "</array>"))
        }
        #expect(error?.kind == .tooDeep)
    }

    @Test("a date that is infinite or NaN is an error, because printing a NaN date would trap")
    func infiniteDates() throws {
        for seconds in [Double.nan, -.nan, .signalingNaN, .infinity, -.infinity] {
            let digits = unsafe withUnsafeBytes(of: seconds.bitPattern.bigEndian) { unsafe Array($0) }
            let error = #expect(throws: PropertyListError.self) {
                try PropertyListValue(propertyList: Self.binary([[0xA1, 1], [0x33] + digits]))
            }
            #expect(error?.kind == .malformed && error?.offset == 10)
        }
        for text in ["nan", "inf", "-inf", "infinity", "NaN-01-01T00:00:00Z"] {
            let bytes = Bytes("<plist><date>\(text)</date></plist>")
            #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: bytes) }
        }
        for seconds in [0, 1e300, -1e300, Double.greatestFiniteMagnitude] {
            let digits = unsafe withUnsafeBytes(of: seconds.bitPattern.bigEndian) { unsafe Array($0) }
            let value = try PropertyListValue(propertyList: Self.binary([[0xA1, 1], [0x33] + digits]))
            #expect("\(value)".hasSuffix(">]"))
        }
    }

    /// Returns a binary list of these objects, with one byte for each reference. The first object is the list.
    private static func binary(_ objects: [[UInt8]]) -> Bytes {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += digits(bytes.count, 4)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 1]
        bytes += digits(objects.count, 8) + digits(0, 8) + digits(table, 8)
        return Bytes(bytes)
    }

    /// Returns a number, big-endian.
    private static func digits(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns an array object of `count` references to one object.
    private static func array(of count: Int, _ reference: UInt8) -> [UInt8] {
        [0xAF, 0x12] + digits(count, 4) + [UInt8](repeating: reference, count: count)
    }

    @Test("a list that contains itself is an error")
    func cycle() {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(propertyList: Self.binary([[0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]]))
        }
        #expect(error?.kind == .tooDeep)
    }

    @Test("twelve nested arrays of ten references to the next array are an error before they fill the memory")
    func sharing() {
        var objects: [[UInt8]] = (1...12).map { [0xAA] + [UInt8](repeating: $0, count: 10) }
        objects.append([0x51, 0x61])
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(propertyList: Self.binary(objects))
        }
        #expect(error?.kind == .tooLarge)
    }

    @Test("many references to nested arrays are an error, because each reference counts the memory of the arrays")
    func chains() {
        // 189 arrays in each other, 40 000 references to the first of them, and unused data: 1 MiB in all.
        var objects = [Self.array(of: 40_000, 1)] + (2...190).map { [0xA1, UInt8($0)] } + [[0x09]]
        objects.append([0x4F, 0x12] + Self.digits(1 << 20, 4) + [UInt8](repeating: 0, count: 1 << 20))
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(propertyList: Self.binary(objects))
        }
        #expect(error?.kind == .tooLarge)
    }

    @Test(
        "a large list is read if all its elements refer to one value",
        arguments: [
            ([0x09], true), ([0x10, 5], 5), ([0x51, 0x61], "a"), ([0x23, 0, 0, 0, 0, 0, 0, 0, 0], 0.0),
        ] as [([UInt8], PropertyListValue)])
    func sharedScalars(object: [UInt8], value: PropertyListValue) throws {
        let list = try PropertyListValue(propertyList: Self.binary([Self.array(of: 200_000, 1), object]))
        let isEqual = list == .array([PropertyListValue](repeating: value, count: 200_000))
        #expect(isEqual)
    }

    @Test(
        "an invalid binary list is an error that gives the reason",
        arguments: [
            ([[0xA1, 9]], .malformed), ([[0x4F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255]], .malformed),
            ([[0x4F, 0x51, 0x61]], .malformed), ([[0x5E, 0x61]], .unsupported), ([[0x51, 0xFF]], .malformed),
            ([[0xD1, 1, 1], [0x09]], .malformed), ([[0x80, 0]], .unsupported), ([[0x00]], .unsupported),
            ([[0x15]], .malformed), ([[0x26]], .malformed), ([[0xAF, 0x12, 127, 255, 255, 255]], .malformed),
        ] as [([[UInt8]], PropertyListError.Kind)])
    func binaryFaults(objects: [[UInt8]], kind: PropertyListError.Kind) {
        let bytes = Self.binary(objects)
        let error = Result { () throws(PropertyListError) in try PropertyListValue(propertyList: bytes) }
        // An overlong string may extend into the trailer and still be valid. It is an error or text, never a trap.
        if case .failure(let error) = error { #expect(error.kind == kind) } else { #expect(objects[0][0] == 0x5E) }
    }

    @Test("a randomly damaged list is read or refused, and a list that was read can be decoded")
    func mutation() throws {
        var random = SystemRandomNumberGenerator()
        let value: PropertyListValue = [
            "name": "a<é&", "n": [1, 2, -5, 1_099_511_627_776], "d": .date(Date(timeIntervalSinceReferenceDate: 5)),
            "b": .data(Data([1, 2, 3])), "f": 1.5, "m": ["k": ["a", "b"]], "t": true,
        ]
        for format in [PropertyListFormat.xml, .binary] {
            let original = Array(try value.propertyList(format))
            for _ in 0..<3000 {
                var damaged = original
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let place = Int.random(in: 0..<damaged.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: damaged[place] = .random(in: 0...255, using: &random)
                    case 1: damaged[place] ^= 1 << Int.random(in: 0..<8, using: &random)
                    case 2: damaged.insert(.random(in: 0...255, using: &random), at: place)
                    default: if damaged.count > 1 { damaged.remove(at: place) }
                    }
                }
                if let read = try? PropertyListValue(propertyList: Bytes(damaged)) {
                    _ = try? read.decodedPropertyList(as: PropertyListValue.self)
                }
            }
        }
    }

    @Test(
        "more than 256 successive combining marks in a key or a string are an error, since they take quadratic time",
        .timeLimit(.minutes(1)), arguments: [PropertyListFormat.xml, .binary])
    func combiningMarks(format: PropertyListFormat) throws {
        let bodies: [(Int) -> PropertyListValue] = [
            { .dictionary([Self.marks($0): 1, "b": 2]) }, { .array([.string(Self.marks($0))]) },
        ]
        for body in bodies {
            let bytes = try body(257).propertyList(format)
            let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: bytes) }
            #expect(error?.kind == .malformed)
            let fine = try body(256).propertyList(format)
            #expect(throws: Never.self) { try PropertyListValue(propertyList: fine) }
        }
    }

    @Test(
        "a number, date or string with 200,000 combining marks is an error in linear time",
        .timeLimit(.minutes(1)), arguments: ["integer", "real", "date", "string", "key"])
    func manyMarks(element: String) {
        let bytes = Bytes("<plist><\(element)>-n\(Self.marks(200_000))</\(element)></plist>")
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: bytes) }
        #expect(error?.kind == .malformed)
    }

    @Test("a number with a few combining marks is an error", arguments: ["integer", "real", "date"])
    func fewMarks(element: String) {
        for text in ["1\(Self.marks(2))", "-\u{301}1", "\u{661}", "nan\u{301}"] {
            #expect(throws: PropertyListError.self) {
                try PropertyListValue(propertyList: Bytes("<\(element)>\(text)</\(element)>"))
            }
        }
    }

    private static func marks(_ count: Int) -> String {
        (0..<count).map { $0 % 2 == 0 ? "\u{301}" : "\u{316}" }.joined()
    }
}
