import HTTPTypes
import SockeyeCore

/// Collects the fields of a part up to the empty line behind them.
struct PartHeadSection: Sendable {
    private var lines: [UInt8] = []
    private var lineStart = 0

    /// Takes bytes up to the end of the section.
    ///
    /// - Returns: How many were taken, and whether the section is complete.
    mutating func take(_ input: Bytes, limit: Int) throws(MultipartFault) -> (count: Int, isComplete: Bool) {
        var count = 0
        for byte in input {
            count += 1
            guard lines.count < limit else { throw .headTooLarge(limit: limit) }
            lines.append(byte)
            guard byte == 0x0A else { continue }
            let length = lines.count - lineStart
            guard length >= 2, lines[lines.count - 2] == 0x0D else { throw .badHead(.bareLF) }
            if length == 2 { return (count, true) }
            lineStart = lines.count
        }
        return (count, false)
    }

    /// The fields. Lines that continue the one before them, as mail has them (RFC 5322 2.2.3), are joined to it.
    func fields(limit: Int) throws(MultipartFault) -> HTTPFields {
        var lines = lines
        for index in lines.indices.dropFirst(2) where lines[index] == 0x20 || lines[index] == 0x09 {
            guard lines[index - 1] == 0x0A, lines[index - 2] == 0x0D else { continue }
            lines[index - 1] = 0x20
            lines[index - 2] = 0x20
        }
        do throws(PeerFault) {
            return try FieldSection.decode(lines, limit: limit)
        } catch {
            throw .badHead(error)
        }
    }
}
