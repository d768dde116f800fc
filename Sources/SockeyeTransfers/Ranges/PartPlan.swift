/// A division of a representation into parts of about equal size that are fetched concurrently, each by its own
/// request.
package enum PartPlan {
    /// The minimum size of a part in bytes; smaller parts are not worth a request.
    package static let smallestPart = 1 << 20
    /// The maximum number of parts: a single client should not open more connections to a server.
    package static let mostParts = 16

    /// Returns the parts; nil if a division is impossible or not worthwhile.
    ///
    /// The server must declare range support (Accept-Ranges) and the total length, and must send a strong validator.
    /// Without a validator, parts of two versions could be mixed (RFC 9110 13.1.5). The content must not be coded.
    ///
    /// - Parameters:
    ///   - answer: The response to a request for the whole representation. Its body supplies the first part.
    ///   - count: The maximum number of parts.
    package static func parts(of answer: PartialResponse, atMost count: Int) -> [Range<Int>]? {
        guard answer.status == 200, answer.rangeSupport == .bytes, answer.validator != nil, let total = answer.length
        else {
            return nil
        }
        let count = min(count, mostParts, total / smallestPart)
        guard count > 1 else { return nil }
        // Rounded down: the last part also gets the remainder.
        let size = total / count
        return (0..<count).map { index in index * size..<(index == count - 1 ? total : (index + 1) * size) }
    }
}
