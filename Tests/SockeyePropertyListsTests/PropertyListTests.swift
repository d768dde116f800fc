import Foundation
import SockeyeCore
import SockeyePropertyLists
import Testing

@Suite("Property lists")
struct PropertyListTests {
    private static let all: PropertyListValue = [
        "text": "a<é&😀", "empty": "", "int": -5, "large": .number(UInt64.max), "small": .number(Int64.min),
        "real": 1.5, "yes": true, "no": false, "list": [1, "two", [], [:]],
        "date": .date(Date(timeIntervalSinceReferenceDate: 86400)), "data": .data(Data([0, 1, 255])),
        "many": .array((0..<300).map { .number($0) }), "nested": ["a": ["b": ["c": "d"]]],
    ]

    @Test("a written list is read back unchanged", arguments: [PropertyListFormat.xml, .binary])
    func roundTrip(format: PropertyListFormat) throws {
        let bytes = try Self.all.propertyList(format)
        #expect(try PropertyListValue(propertyList: bytes) == Self.all)
    }

    @Test("infinite numbers are read back unchanged", arguments: [PropertyListFormat.xml, .binary])
    func nonFinite(format: PropertyListFormat) throws {
        let bytes = try PropertyListValue.array([.double(.infinity), .double(-.infinity)]).propertyList(format)
        #expect(try PropertyListValue(propertyList: bytes) == [.double(.infinity), .double(-.infinity)])
    }

    @Test("a type is decoded as Foundation's decoder decodes it")
    func decoding() throws {
        struct User: Codable, Equatable {
            var name: String
            var born: Date
            var picture: Data?
            var tags: Set<String>
            var size: UInt64
        }
        let user = User(name: "Ada", born: Date(timeIntervalSince1970: 0), picture: Data([1]), tags: ["x"], size: .max)
        for format in [PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format == .xml ? .xml : .binary
            let value = try PropertyListValue(propertyList: Bytes(encoder.encode(user)))
            #expect(try value.decodedPropertyList(as: User.self) == user)
        }
    }

    @Test(
        "XML is read with any valid markup around the values",
        arguments: [
            ("<plist><string>a</string></plist>", "a"), ("<string>a</string>", "a"),
            (
                "\u{FEFF}<?xml version='1.0'?>\n<!-- x -- y --><plist version=\"1.0\" >\n<string >a</string>\n</plist >",
                "a"
            ),
            ("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\"><plist><true/></plist>", true),
            ("<!DOCTYPE plist SYSTEM 'a>[\"'><plist><true/></plist>", true),
            ("<plist><string>&lt;&gt;&amp;&apos;&quot;&#65;&#x1F600;</string></plist>", "<>&'\"A😀"),
            ("<plist><string>a<![CDATA[<b>&amp;]]>c<!-- d -->e</string></plist>", "a<b>&amp;ce"),
            ("<plist><string>a<?x y?> b<?z?> </string></plist>", "a b "),
            ("<plist><string/></plist>", ""), ("<plist><array/></plist>", []), ("<plist><dict/></plist>", [:]),
            ("<plist><integer> 0x1F </integer></plist>", 31), ("<plist><integer>+7</integer></plist>", 7),
            ("<plist><integer>-9223372036854775808</integer></plist>", .integer(.min)),
            ("<plist><real>-1e3</real></plist>", -1000.0),
            ("<plist><data> AQ\n ID </data></plist>", .data(Data([1, 2, 3]))),
            ("<plist><date>2001-01-01T00:00:01Z</date></plist>", .date(Date(timeIntervalSinceReferenceDate: 1))),
            ("<plist><dict><key>a</key><false/><key>a</key><true/></dict></plist>", ["a": true]),
        ] as [(String, PropertyListValue)])
    func xml(text: String, value: PropertyListValue) throws {
        #expect(try PropertyListValue(propertyList: Bytes(text)) == value)
    }

    @Test(
        "XML in UTF-16 is read according to its byte order mark",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        let text = try #require("\u{FEFF}<plist><string>é😀</string></plist>".data(using: encoding))
        #expect(try PropertyListValue(propertyList: Bytes(text)) == "é😀")
    }

    @Test("a list that is a single string is decoded")
    func fragment() throws {
        #expect(try PropertyListValue.string("a").decodedPropertyList(as: String.self) == "a")
        #expect(throws: DecodingError.self) { try PropertyListValue.string("a").decodedPropertyList(as: Int.self) }
    }

    @Test("a null is refused with its path")
    func null() throws {
        let value: PropertyListValue = ["a": [1, ["b": .null]]]
        let error = #expect(throws: EncodingError.self) { try value.propertyList(.xml) }
        guard case .invalidValue(_, let context) = error else { return #expect(Bool(false)) }
        #expect(context.codingPath.map(\.stringValue) == ["a", "1", "b"])
    }

    @Test("a date that XML cannot express is refused in XML and written in binary")
    func dates() throws {
        let value = PropertyListValue.array([.date(Date(timeIntervalSinceReferenceDate: 1e15))])
        #expect(throws: EncodingError.self) { try value.propertyList(.xml) }
        #expect(try PropertyListValue(propertyList: value.propertyList(.binary)) == value)
    }
}
