#if AsyncDNS
@testable import SockeyeDNS
import Testing

@testable import SockeyePlatform

@Suite("Response codes of name servers") struct NameServerLogTests {
    /// An answer without records to a query for addresses.
    private static func answer(_ name: String, code: UInt8, type: UInt8) -> [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return [0, 1, 0x80, code, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, type, 0, 1]
    }

    private static func note(_ name: String, code: UInt8, type: UInt8 = 1, in log: NameServerLog) {
        unsafe answer(name, code: code, type: type).withUnsafeBytes { unsafe log.note($0) }
    }

    @Test("an answer to a name with a search domain counts for the short name")
    func searchDomain() {
        let log = NameServerLog()
        let short = log.begin("www")
        Self.note("www.example.com", code: 2, in: log)
        #expect(short.failure(.noData) == .serverFailure)
    }

    @Test("an answer to one query does not count for another query with fewer labels")
    func fewerLabels() {
        let log = NameServerLog()
        let (short, long) = (log.begin("www"), log.begin("WWW.example.com."))
        Self.note("www.example.com", code: 2, in: log)
        #expect(long.failure(.noData) == .serverFailure)
        #expect(short.failure(.noData) == .noData)
        log.end(long)
        Self.note("www.example.com", code: 5, in: log)
        #expect(short.failure(.noData) == .refused)
    }

    @Test("an answer about a record type other than A and AAAA does not count", arguments: [0, 2, 5, 255] as [UInt8])
    func otherTypes(type: UInt8) {
        let log = NameServerLog()
        let entry = log.begin("a.test")
        Self.note("a.test", code: 2, type: type, in: log)
        #expect(entry.failure(.noData) == .noData)
        Self.note("a.test", code: 2, type: 28, in: log)
        #expect(entry.failure(.noData) == .serverFailure)
    }
}
#endif
