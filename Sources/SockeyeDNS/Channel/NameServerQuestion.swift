#if AsyncDNS
import CSockeyeAres
import CSockeyeSystem
import SockeyePlatform

/// A query of a ``NameServerChannel`` and the records of its answer so far.
final class NameServerQuestion {
    private let number: UInt64
    private let sockets: NameServerSockets
    private let log: NameServerLog.Entry
    private var addresses: [SystemAddress] = []
    private var known: Set<SystemAddress> = []
    /// The least TTL of the records so far, in seconds.
    private var timeToLive = Int32.max

    /// The most addresses of each family that are taken from one answer. A DNS message can hold about 4,000 addresses.
    private static let mostAddresses = 64

    init(number: UInt64, host: String, sockets: NameServerSockets) {
        self.number = number
        self.sockets = sockets
        log = sockets.log.begin(host)
    }

    /// Lowers the TTL of the answer to `seconds` if that is less. Stores the address unless it is a duplicate or
    /// exceeds the limit of its family. The address is nil for an alias (CNAME), which only has a TTL.
    func take(_ address: UnsafeRawPointer?, length: UInt32, seconds: Int32) {
        timeToLive = min(timeToLive, seconds)
        guard let address = unsafe address,
            let address = unsafe SystemAddress(address, length: length),
            addresses.count(where: { $0.family == address.family }) < Self.mostAddresses,
            known.insert(address).inserted
        else { return }
        addresses.append(address)
    }

    /// Ends the query, for which c-ares reports this status (ares.h). Adds the query's answer or failure to the events
    /// of the channel.
    func settle(_ status: Int32) {
        sockets.log.end(log)
        // A TTL with the highest bit set counts as 0 (RFC 2181 8).
        let answer = NameServerChannel.Answer(addresses: addresses, timeToLive: Int(max(0, timeToLive)))
        let failure = log.failure(sockets.failure(ofStatus: status))
        sockets.settle(number, status == 0 && !addresses.isEmpty ? .success(answer) : .failure(failure))
    }
}

/// The last response code for each of the two record types (A and AAAA) of every query under way.
///
/// The log is needed because c-ares reports only the status of the answer that arrived last. If A fails (SERVFAIL) and
/// then AAAA is empty, c-ares reports "no address", which would be cached. If a server truncates its answer over UDP
/// and closes the TCP connection of the repeated query, c-ares reports that the server is unreachable. The log shows
/// that the server has answered.
final class NameServerLog {
    /// The codes of one query, which the query and the log share. A class, because the log removes entries by identity:
    /// several queries may have the same name.
    final class Entry {
        fileprivate let host: [UInt8]
        /// The name of the last answer: the host itself, or the host completed with a search domain. Empty before the
        /// first answer.
        fileprivate var name: [UInt8] = []
        /// The last code for each record type (1 is A, 28 is AAAA) in the answers about `name`.
        fileprivate var codes: [UInt16: Code] = [:]

        fileprivate init(_ host: String) {
            self.host = NameServerLog.canonical(Array(host.utf8))
        }

        /// Returns the actual failure of the query, given the failure that c-ares reports.
        func failure(_ reported: NameServerChannel.Failure) -> NameServerChannel.Failure {
            let codes = codes.values
            switch reported {
            case .noData, .notFound:
                if codes.contains(.truncated) { return .interrupted }
                return codes.contains(.serverFailure) ? .serverFailure : codes.contains(.refused) ? .refused : reported
            case .unreachable where codes.contains(.truncated): return .interrupted
            default: return reported
            }
        }
    }

    enum Code {
        /// A definite answer: the record exists or does not exist.
        case answer
        /// A truncated answer (TC); c-ares repeats the query over TCP.
        case truncated
        /// The server could not answer (FORMERR, SERVFAIL or NOTIMP), or refused to (REFUSED).
        case serverFailure, refused
    }

    private var entries: [[UInt8]: [Entry]] = [:]

    func begin(_ host: String) -> Entry {
        let entry = Entry(host)
        entries[entry.host, default: []].append(entry)
        return entry
    }

    func end(_ entry: Entry) {
        entries[entry.host]?.removeAll { $0 === entry }
        if entries[entry.host]?.isEmpty == true { entries[entry.host] = nil }
    }

    /// The record types A and AAAA (RFC 1035 3.2.2, RFC 3596 2.1).
    private static let types: [UInt16] = [1, 28]

    /// Records the response code of a message from a name server. Ignores the message unless its header and question
    /// (RFC 1035 4.1) have arrived in one read and the question is about A or AAAA.
    func note(_ message: UnsafeRawBufferPointer) {
        guard let (name, type) = unsafe Self.question(of: message), Self.types.contains(type) else { return }
        let code: Code =
            switch unsafe (message[3] & 0x0F, message[2] & 0x02) {
            case (1, _), (2, _), (4, _): .serverFailure
            case (5, _): .refused
            case (0, 2): .truncated
            default: .answer
            }
        // An answer for www.example.com may belong to a query for www that was completed with a search domain. So
        // labels are removed from the end until the rest is a query's name. The longest match is the likeliest.
        var host = name[...]
        while true {
            if let matches = entries[Array(host)] {
                for entry in matches {
                    if entry.name != name { (entry.name, entry.codes) = (name, [:]) }
                    entry.codes[type] = code
                }
                return
            }
            guard let dot = host.lastIndex(of: UInt8(ascii: ".")) else { return }
            host = host[..<dot]
        }
    }

    /// Returns the name and the type of the question in a message. The name is in lower case and has no final dot. Nil
    /// unless the message has exactly one question, with a complete and uncompressed name.
    private static func question(of message: UnsafeRawBufferPointer) -> (name: [UInt8], type: UInt16)? {
        guard message.count > 12, unsafe message[4] == 0, unsafe message[5] == 1 else { return nil }
        var name: [UInt8] = []
        var position = 12
        while position < message.count, unsafe message[position] > 0 {
            let label = unsafe Int(message[position])
            // Refuses a name that is compressed, incomplete or too long.
            guard label < 64, position + 1 + label < message.count, name.count + label < 256 else { return nil }
            if !name.isEmpty { name.append(UInt8(ascii: ".")) }
            unsafe name.append(contentsOf: message[position + 1..<position + 1 + label])
            position += 1 + label
        }
        guard position + 2 < message.count else { return nil }
        return unsafe (canonical(name), UInt16(message[position + 1]) << 8 | UInt16(message[position + 2]))
    }

    private static func canonical(_ name: [UInt8]) -> [UInt8] {
        let lower = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return lower.last == UInt8(ascii: ".") ? lower.dropLast() : lower
    }
}
#endif
