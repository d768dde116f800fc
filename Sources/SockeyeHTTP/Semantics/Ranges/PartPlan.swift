/// The parts in which a representation is fetched at the same time, each by a request of its own: about the same size, and
/// together the whole.
package enum PartPlan {
    /// Smaller parts are not worth a request.
    package static let smallestPart = 1 << 20
    /// More connections than this are not one client's share of a server.
    package static let mostParts = 16

    /// The parts, the first of which comes with the answer that the plan is made from: the answer to a request for the whole.
    /// Nil where that cannot be, or is not worth it: the server must say that it has parts (Accept-Ranges), how long the whole
    /// is, and give it a strong validator, without which parts of two versions could be mixed (RFC 9110 13.1.5); and
    /// nothing may be coded.
    ///
    /// - Parameter count: How many parts there are to be at most.
    package static func parts(of answer: PartialResponse, atMost count: Int) -> [Range<Int>]? {
        guard answer.status == 200, answer.support == .bytes, answer.validator != nil, let total = answer.length else {
            return nil
        }
        let count = min(count, mostParts, total / smallestPart)
        guard count > 1 else { return nil }
        // Rounded down, so that the last one is the largest by less than the number of parts.
        let size = total / count
        return (0..<count).map { index in index * size..<(index == count - 1 ? total : (index + 1) * size) }
    }
}
