import SockeyeEssentials

/// A node of the tree that is being encoded. Encoders and containers fill the node. After that, ``value(depth:)``
/// returns the value of the node.
///
/// The methods of `Encoder` that make containers cannot throw. So a conflict between containers is stored, and thrown
/// when the node is read.
final class ParameterNode {
    enum Kind {
        case empty, value, members, elements
    }

    /// A child: a finished value (nil if it is omitted), or a node that is still being written.
    enum Slot {
        case value(ParameterValue?)
        case node(ParameterNode)
    }

    private var kind = Kind.empty
    private var hasConflict = false
    /// True if the elements are those of a set.
    var isSet = false
    /// The value of a single-value container; nil for an encoded nil, and for the other kinds.
    private var single: ParameterValue?
    /// The members in the order of encoding; if a key occurs twice, the last value counts.
    private var members: [(key: String, slot: Slot)] = []
    private var elements: [Slot] = []

    var elementCount: Int { elements.count }

    /// Notes the kind of a container. Several keyed or several unkeyed containers may write to the same node, like
    /// those of a class and its superclass. Containers of different kinds conflict. Two single values in one node
    /// conflict, too. An encoded nil counts as a single value.
    func become(_ kind: Kind) {
        if self.kind != .empty, self.kind != kind || kind == .value { hasConflict = true }
        self.kind = kind
    }

    func set(_ slot: Slot, for key: String) {
        members.append((key, slot))
    }

    func append(_ slot: Slot) {
        elements.append(slot)
    }

    func set(_ value: ParameterValue?) {
        become(.value)
        single = value
    }

    /// Returns the encoded value; nil for an encoded nil. If nothing was encoded, the result is a dictionary without
    /// members.
    ///
    /// - Parameter depth: The number of nodes above this node in the tree.
    func value(depth: Int) throws(RequestParameters.EncodingError) -> ParameterValue? {
        guard !hasConflict else { throw RequestParameters.EncodingError(.conflictingContainers) }
        guard kind == .value || depth < RequestParameters.maximumDepth, StackSpace.allowsWalk(at: depth) else {
            throw RequestParameters.EncodingError(.tooDeep)
        }
        switch kind {
        case .value: return single
        case .empty, .members:
            var values: [(String, ParameterValue?)] = []
            values.reserveCapacity(members.count)
            for (key, slot) in members { values.append((key, try Self.value(of: slot, key: key, depth: depth))) }
            return .dictionary(RequestParameters(omittingNil: values))
        case .elements:
            var values: [ParameterValue] = []
            values.reserveCapacity(elements.count)
            for (index, slot) in elements.enumerated() {
                guard let value = try Self.value(of: slot, key: String(index), depth: depth) else { continue }
                values.append(value)
            }
            return isSet ? .set(Set(values)) : .array(values)
        }
    }

    private static func value(
        of slot: Slot, key: @autoclosure () -> String, depth: Int
    ) throws(RequestParameters.EncodingError) -> ParameterValue? {
        switch slot {
        case .value(let value): return value
        case .node(let node):
            do throws(RequestParameters.EncodingError) {
                return try node.value(depth: depth + 1)
            } catch {
                throw error.inside(key())
            }
        }
    }
}

/// A type with values that the encoder converts directly, without calling their `encode(to:)`.
///
/// These are the primitive types, the parameter types, and types such as `Date` whose own encoding is useless to a
/// server. Unlike ``ParameterConvertible``, this protocol excludes arrays and dictionaries, because their elements may
/// need `encode(to:)`.
protocol ParameterScalar: ParameterConvertible {}

extension Bool: ParameterScalar {}
extension String: ParameterScalar {}
extension Double: ParameterScalar {}
extension Float: ParameterScalar {}
extension Int: ParameterScalar {}
extension Int8: ParameterScalar {}
extension Int16: ParameterScalar {}
extension Int32: ParameterScalar {}
extension Int64: ParameterScalar {}
extension Int128: ParameterScalar {}
extension UInt: ParameterScalar {}
extension UInt8: ParameterScalar {}
extension UInt16: ParameterScalar {}
extension UInt32: ParameterScalar {}
extension UInt64: ParameterScalar {}
extension UInt128: ParameterScalar {}
extension Date: ParameterScalar {}
extension Data: ParameterScalar {}
extension Decimal: ParameterScalar {}
extension URL: ParameterScalar {}
extension UUID: ParameterScalar {}
extension RequestParameters: ParameterScalar {}
extension ParameterValue: ParameterScalar {}

/// A marker by which the encoder recognises sets. Sets and arrays encode themselves with the same calls, so these calls
/// do not show the difference.
protocol ParameterSet {}

extension Set: ParameterSet {}
