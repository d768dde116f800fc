public import HTTPTypes
import SockeyeCore

/// A set of status codes, stored as ranges.
///
/// ```swift
/// StatusCodeSet(200...299).union([304])
/// ```
public struct StatusCodeSet: Sendable, Hashable {
    /// The ranges in ascending order. They neither overlap nor adjoin, so that equal sets are equal values.
    package private(set) var ranges: [ClosedRange<Int>]

    private init(ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// The codes of one range, such as `200...299`.
    public init(_ codes: ClosedRange<Int>) {
        ranges = [codes]
    }

    /// 200 to 299: the request was received, understood and accepted (RFC 9110 15.3). AFNetworking's default.
    public static let successful = StatusCodeSet(200...299)

    /// All codes from 0 to 999.
    public static let all = StatusCodeSet(0...999)

    /// Returns true if `code` is in the set.
    public func contains(_ code: Int) -> Bool {
        for range in ranges where code <= range.upperBound { return code >= range.lowerBound }
        return false
    }

    /// Returns true if any of these codes is in the set.
    package func intersects(_ codes: ClosedRange<Int>) -> Bool { ranges.contains { $0.overlaps(codes) } }

    /// Returns the set of all codes that are in either set.
    public func union(_ other: StatusCodeSet) -> StatusCodeSet {
        var joined: [ClosedRange<Int>] = []
        for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound.subtractingSaturated(1) <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return StatusCodeSet(ranges: joined)
    }
}

extension StatusCodeSet: ExpressibleByArrayLiteral {
    /// Creates a set of exactly these codes, such as `[.notFound, 410]`.
    public init(arrayLiteral codes: HTTPResponse.Status...) {
        self = codes.reduce(StatusCodeSet(ranges: [])) { $0.union(StatusCodeSet($1.code...$1.code)) }
    }
}

extension StatusCodeSet: CustomStringConvertible {
    /// For example `200-299, 304`.
    public var description: String {
        ranges.map { range in
            range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }.joined(separator: ", ")
    }
}
