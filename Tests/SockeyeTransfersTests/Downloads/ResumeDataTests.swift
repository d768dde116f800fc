import Foundation
import Sockeye
import SockeyeHTTP
import SockeyeTransfers
import Testing

/// The encoded form of resume data.
@Suite struct ResumeDataTests {
    private static let text = """
        {"version":1,"url":"https://example.com/f?sig=secret","validator":"\\"v1\\"","bytesWritten":40,\
        "totalBytes":100,"temporaryPath":"/tmp/.sockeye-x.part","destinationPath":"/tmp/f","checksums":{"sha-256":\
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","md5":"00"}}
        """

    private func decode(_ text: String) throws -> ResumeData {
        try JSONDecoder().decode(ResumeData.self, from: Data(text.utf8))
    }

    @Test("resume data can be encoded and decoded again")
    func roundTrip() throws {
        let data = try decode(Self.text)
        #expect(data.bytesWritten == 40 && data.totalBytes == 100 && data.temporaryPath == "/tmp/.sockeye-x.part")
        let again = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
        #expect(again == data)
    }

    @Test("resume data has no destination and ignores one from an earlier version or another program")
    func noDestination() throws {
        let encoded = String(decoding: try JSONEncoder().encode(decode(Self.text)), as: UTF8.self)
        #expect(!encoded.contains("destination") && !encoded.contains("existing"))
        #expect(try decode(Self.text.replacing("/tmp/f", with: "../.bashrc")) == decode(Self.text))
    }

    @Test(
        "impossible resume data is refused",
        arguments: [
            ("\"version\":1", "\"version\":3"), ("\"bytesWritten\":40", "\"bytesWritten\":-1"),
            ("\"bytesWritten\":40", "\"bytesWritten\":101"), ("\\\"v1\\\"", "W/\\\"v1\\\""), ("\\\"v1\\\"", "v1"),
            ("\"url\"", "\"uri\""), ("100", "1e99"),
        ])
    func refused(from: String, to: String) {
        #expect(throws: DecodingError.self) { try decode(Self.text.replacing(from, with: to)) }
    }

    @Test("descriptions of resume data show neither the query nor a path")
    func discreet() throws {
        let data = try decode(Self.text)
        var dumped = ""
        dump(data, to: &dumped)
        for text in ["\(data)", String(reflecting: data), dumped] {
            #expect(!text.contains("secret") && !text.contains("/tmp"))
            #expect(text.contains("40 of 100 bytes of https://example.com/f"))
        }
    }
}
