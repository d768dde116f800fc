import FoundationEssentials

/// A node of the tree that is encoded; filled while encoders and containers refer to it, and read at the end.
///
/// Nothing in `Encoder` may throw when containers are made, so what is wrong about them is kept until it is read.
final class ParameterNode {
    enum Kind {
        case empty, value, members, elements
    }

    /// A child: a finished value, or a node that is still written to.
    enum Slot {
        case value(Parameters.Value)
        case node(ParameterNode)
    }

    private var kind = Kind.empty
    private var hasConflict = false
    /// Whether the elements are those of a set.
    var isSet = false
    private var single = Parameters.Value.null
    /// In the order of encoding; of equal keys the last counts.
    private var members: [(key: String, slot: Slot)] = []
    private var elements: [Slot] = []

    var elementCount: Int { elements.count }

    /// Several containers of one kind write to the same place (a class and its superclass do); of two kinds, none can.
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

    func set(_ value: Parameters.Value) {
        become(.value)
        single = value
    }

    /// What was encoded. A value that encoded nothing is one without members.
    func value(depth: Int) throws(ParameterEncodingError) -> Parameters.Value {
        guard !hasConflict else { throw ParameterEncodingError(.conflictingContainers) }
        guard depth < Parameters.maximumDepth, StackSpace.allowsWalk(at: depth) else {
            throw ParameterEncodingError(.tooDeep)
        }
        switch kind {
        case .value: return single
        case .empty, .members:
            var values: [(String, Parameters.Value)] = []
            values.reserveCapacity(members.count)
            for (key, slot) in members { values.append((key, try Self.value(of: slot, key: key, depth: depth))) }
            return .dictionary(Parameters(values))
        case .elements:
            var values: [Parameters.Value] = []
            values.reserveCapacity(elements.count)
            for (index, slot) in elements.enumerated() {
                values.append(try Self.value(of: slot, key: String(index), depth: depth))
            }
            return isSet ? .set(Set(values)) : .array(values)
        }
    }

    private static func value(
        of slot: Slot, key: @autoclosure () -> String, depth: Int
    ) throws(ParameterEncodingError) -> Parameters.Value {
        switch slot {
        case .value(let value): return value
        case .node(let node):
            do throws(ParameterEncodingError) {
                return try node.value(depth: depth + 1)
            } catch {
                throw error.inside(key())
            }
        }
    }
}

/// What becomes a value of parameters as a whole, without being asked to encode itself: the primitive types, and those
/// whose own encoding would be of no use to a server.
protocol ParameterScalar {
    var parameterValue: Parameters.Value { get }
}

extension Bool: ParameterScalar { var parameterValue: Parameters.Value { .bool(self) } }
extension String: ParameterScalar { var parameterValue: Parameters.Value { .string(self) } }
extension Double: ParameterScalar { var parameterValue: Parameters.Value { .double(self) } }
extension Float: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension Int: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int8: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int16: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int32: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int64: ParameterScalar { var parameterValue: Parameters.Value { .integer(self) } }
extension Int128: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension UInt: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension UInt8: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension UInt16: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension UInt32: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension UInt64: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension UInt128: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension Date: ParameterScalar { var parameterValue: Parameters.Value { .date(self) } }
extension Data: ParameterScalar { var parameterValue: Parameters.Value { .data(self) } }
extension Decimal: ParameterScalar { var parameterValue: Parameters.Value { .decimal(self) } }
extension URL: ParameterScalar { var parameterValue: Parameters.Value { .string(absoluteString) } }
extension UUID: ParameterScalar { var parameterValue: Parameters.Value { .string(uuidString) } }
extension Parameters: ParameterScalar { var parameterValue: Parameters.Value { .dictionary(self) } }
extension Parameters.Value: ParameterScalar { var parameterValue: Parameters.Value { self } }

/// A marker of sets, which encode themselves as arrays do.
protocol ParameterSet {}

extension Set: ParameterSet {}
