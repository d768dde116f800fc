#if AsyncDNS
@testable import SockeyeDNS
import Testing

@testable import SockeyePlatform

@Suite("Response codes of name servers") struct NameServerLogTests {
    /// An answer without records to a query for addresses.
    private static func answer(_ name: String, code: UInt8) -> [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return [0, 1, 0x80, code, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, 1, 0, 1]
    }

    private static func note(_ name: String, code: UInt8, in log: NameServerLog) {
        unsafe answer(name, code: code).withUnsafeBytes { unsafe log.note($0) }
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
}
#endif
