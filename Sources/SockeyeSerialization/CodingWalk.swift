import SockeyeEssentials
import Synchronization

/// The depth and the cost of one walk: one run of an encoder or decoder over values of the types ``JSONValue`` and
/// ``ParameterValue``.
///
/// A decoder reveals the kind of a value only by failed attempts to read other kinds. In Foundation's decoders, each
/// failure builds the coding path, in a time that grows with the square of the depth: 10 ms per number at 490 levels.
/// Therefore this type counts the levels itself, and limits the sum of the squared depths.
package final class CodingWalk: Sendable {
    @TaskLocal private static var current: CodingWalk?

    /// The walk of the current task or thread; nil outside of ``start(_:)``. A task that was created during a walk
    /// inherits the walk, but gets nil after the walk has ended.
    static var running: CodingWalk? { current.flatMap { $0.state.withLock { $0.isOver } ? nil : $0 } }

    private struct State {
        /// The depth of the innermost ``JSONValue`` or ``ParameterValue`` in progress; nil between such values.
        var depth: Int?
        /// The number of values that a decoder has begun to read.
        var values = 0
        /// The sum of the squared depths of the values that `values` counts.
        var cost = 0
        var isOver = false

        /// A unit of `cost` takes Foundation's decoder up to 44 ns, so the constant part of this limit allows 0.2 s.
        /// The other part allows any number of values at depths of up to 22.
        var isAffordable: Bool { cost <= 1 << 22 + 512 * values }
    }

    private let state = Mutex(State())

    private init() {}

    /// Runs `body` as one walk. `body` decodes a whole text, or decodes or encodes a single value.
    package static func start<Result>(_ body: () throws -> Result) rethrows -> Result {
        let walk = CodingWalk()
        defer { walk.state.withLock { $0.isOver = true } }
        return try $current.withValue(walk) { try body() }
    }

    /// The depth of the current value, as the number of keys in its coding path; 0 between values.
    var depth: Int { state.withLock { $0.depth } ?? 0 }

    /// Enters the value that `decoder` reads.
    ///
    /// - Returns: The argument of ``leave(to:)``.
    /// - Throws: `DecodingError.dataCorrupted` if the values of this walk are too many and nested too deep; see
    ///   `isAffordable`.
    func enter(_ decoder: any Decoder) throws -> Int? {
        let (outer, isAffordable) = state.withLock { ($0.depth, $0.isAffordable) }
        guard isAffordable else { throw Self.tooCostly([]) }
        // Only for an outermost `JSONValue` or `ParameterValue` is the depth taken from the coding path, because the
        // path is slow to build.
        let depth = outer.map { $0 + 1 } ?? decoder.codingPath.count
        let isEntered = state.withLock { state in
            state.values += 1
            state.cost += depth * depth
            guard state.isAffordable else { return false }
            state.depth = depth
            return true
        }
        guard isEntered else { throw Self.tooCostly(decoder.codingPath) }
        return outer
    }

    /// Enters the value that `encoder` writes. Encoding has no failed attempts, so it does not count as cost.
    ///
    /// - Returns: The argument of ``leave(to:)``.
    func enter(_ encoder: any Encoder) -> Int? {
        let outer = state.withLock { $0.depth }
        let depth = outer.map { $0 + 1 } ?? encoder.codingPath.count
        state.withLock { $0.depth = depth }
        return outer
    }

    /// Leaves the current value for the enclosing value.
    ///
    /// - Parameter outer: The result of `enter`: the depth of the enclosing value, or nil without such a value.
    func leave(to outer: Int?) {
        state.withLock { $0.depth = outer }
    }

    private static func tooCostly(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "too many values are nested too deep"))
    }
}
