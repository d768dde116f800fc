/// A question that a ``TestNameServer`` received, and methods that make answers to it (RFC 1035 4).
package struct DNSQuestion: Sendable {
    package let id: UInt16
    /// The name in lower case, without the final dot.
    package let name: String
    /// The record type: 1 for A, 28 for AAAA.
    package let type: UInt16
    package let isStream: Bool
    /// The question section.
    package let section: [UInt8]

    package static let a: UInt16 = 1
    package static let aaaa: UInt16 = 28

    package init(
        id: UInt16, name: String, type: UInt16, isStream: Bool = false
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.isStream = isStream
        section = DNSRecord.encoded(name) + DNSRecord.bytes(type) + [0, 1]
    }

    init?(_ message: [UInt8], isStream: Bool) {
        guard message.count > 12 else { return nil }
        var labels: [String] = []
        var position = 12
        while position < message.count, message[position] > 0, message[position] < 64 {
            let end = position + 1 + Int(message[position])
            guard end < message.count else { return nil }
            labels.append(String(decoding: message[position + 1..<end], as: UTF8.self).lowercased())
            position = end
        }
        guard position + 5 <= message.count else { return nil }
        id = UInt16(message[0]) << 8 | UInt16(message[1])
        name = labels.joined(separator: ".")
        type = UInt16(message[position + 1]) << 8 | UInt16(message[position + 2])
        self.isStream = isStream
        section = Array(message[12..<position + 5])
    }

    /// Makes an answer to this question.
    ///
    /// - Parameters:
    ///   - code: The response code: 0 NOERROR, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED.
    ///   - id: An id other than the question's.
    package func reply(
        _ records: [DNSRecord] = [], code: UInt8 = 0, isTruncated: Bool = false, id: UInt16? = nil,
        section: [UInt8]? = nil
    ) -> [UInt8] {
        let flags: [UInt8] = [0x81 | (isTruncated ? 2 : 0), 0x80 | code]
        var message = DNSRecord.bytes(id ?? self.id) + flags
        message += [0, 1]
        message += DNSRecord.bytes(UInt16(truncatingIfNeeded: records.count))
        message += [0, 0, 0, 0]
        message += section ?? self.section
        for record in records { message += record.bytes }
        return message
    }

    /// Makes an answer with those `addresses` that have the requested type.
    package func reply(_ addresses: [String], ttl: UInt32 = 60) -> [UInt8] {
        reply(addresses.compactMap { DNSRecord(address: $0, of: name, ttl: ttl) }.filter { $0.type == type })
    }
}

/// A resource record.
package struct DNSRecord: Sendable {
    package let name: String
    package let type: UInt16
    package let ttl: UInt32
    package let data: [UInt8]

    package init(name: String, type: UInt16, ttl: UInt32, data: [UInt8]) {
        self.name = name
        self.type = type
        self.ttl = ttl
        self.data = data
    }

    /// Makes an A record from four decimal numbers with dots, or an AAAA record from eight hexadecimal numbers with
    /// colons.
    package init?(address: String, of name: String, ttl: UInt32 = 60) {
        if address.contains(":") {
            let groups = address.split(separator: ":").compactMap { UInt16($0, radix: 16) }
            guard groups.count == 8 else { return nil }
            self.init(name: name, type: DNSQuestion.aaaa, ttl: ttl, data: groups.flatMap(Self.bytes))
        } else {
            let numbers = address.split(separator: ".").compactMap { UInt8($0) }
            guard numbers.count == 4 else { return nil }
            self.init(name: name, type: DNSQuestion.a, ttl: ttl, data: numbers)
        }
    }

    package static func alias(_ name: String, to other: String, ttl: UInt32 = 60) -> DNSRecord {
        DNSRecord(name: name, type: 5, ttl: ttl, data: encoded(other))
    }

    package static func encoded(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] }

    var bytes: [UInt8] {
        var bytes = Self.encoded(name) + Self.bytes(type)
        bytes += [0, 1]
        bytes += Self.bytes(UInt16(ttl >> 16)) + Self.bytes(UInt16(truncatingIfNeeded: ttl))
        bytes += Self.bytes(UInt16(data.count))
        return bytes + data
    }
}
