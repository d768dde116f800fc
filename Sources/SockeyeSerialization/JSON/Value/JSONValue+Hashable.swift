// Comparing and hashing do not recurse: the calling thread may have a small stack.

extension JSONValue: Hashable {
    /// Returns true if both are the same kind of value with the same content; the order of object members does not
    /// matter.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var pending: [(JSONValue, JSONValue)] = []
        guard isEqual(left, right, &pending) else { return false }
        while let (left, right) = pending.popLast() {
            guard hasEqualParts(left, right, &pending) else { return false }
        }
        return true
    }

    /// Feeds the value to the hasher, independently of the order of object members.
    public func hash(into hasher: inout Hasher) {
        var walk = JSONHashing(hasher)
        walk.visit(self)
        hasher = walk.finish()
    }

    /// Compares two values without their parts. Non-empty containers of equal size are added to `pending`, because
    /// their parts must still be compared.
    private static func isEqual(
        _ left: JSONValue, _ right: JSONValue, _ pending: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.array(let one), .array(let other)):
            guard one.count == other.count else { return false }
            if !one.isEmpty { pending.append((left, right)) }
        case (.object(let one), .object(let other)):
            guard one.count == other.count else { return false }
            if !one.isEmpty { pending.append((left, right)) }
        default: return false
        }
        return true
    }

    /// Compares the parts of two containers of the same kind and size.
    private static func hasEqualParts(
        _ left: JSONValue, _ right: JSONValue, _ pending: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            for index in left.indices where !isEqual(left[index], right[index], &pending) { return false }
        case (.object(let left), .object(let right)):
            for member in left.members {
                guard let other = right[member.key], isEqual(member.value, other, &pending) else { return false }
            }
        default: break
        }
        return true
    }
}

extension JSONValue.Object: Hashable {
    /// Returns true if both have the same members, in any order.
    public static func == (left: JSONValue.Object, right: JSONValue.Object) -> Bool {
        JSONValue.object(left) == JSONValue.object(right)
    }

    /// Feeds the members to the hasher, independently of their order.
    public func hash(into hasher: inout Hasher) {
        JSONValue.object(self).hash(into: &hasher)
    }
}

/// A non-recursive hasher with an explicit stack. Each member of an object is hashed separately, and the results are
/// combined independently of their order.
private struct JSONHashing {
    /// A container with the parts that are not hashed yet.
    private enum Open {
        case array(ArraySlice<JSONValue>)
        case object(OpenObject)
    }

    private struct OpenObject {
        /// The state of the hasher before the members.
        let before: Hasher
        var rest: ArraySlice<JSONValue.Object.Element>
        /// The hash values of the members so far, combined by XOR.
        var combined = 0
        /// True if the hasher contains a member whose hash value is not in `combined` yet.
        var isInMember = false
    }

    private var hasher: Hasher
    private var open: [Open] = []

    init(_ hasher: Hasher) {
        self.hasher = hasher
    }

    mutating func visit(_ value: JSONValue) {
        switch value {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let elements):
            hasher.combine(elements.count)
            open.append(.array(elements[...]))
        case .object(let object):
            hasher.combine(object.count)
            open.append(.object(OpenObject(before: hasher, rest: object.members[...])))
        }
    }

    mutating func finish() -> Hasher {
        while let last = open.popLast() {
            switch last {
            case .array(var rest):
                guard let element = rest.popFirst() else { continue }
                open.append(.array(rest))
                visit(element)
            case .object(let object): visitMember(of: object)
            }
        }
        return hasher
    }

    private mutating func visitMember(of object: OpenObject) {
        var object = object
        if object.isInMember { object.combined ^= hasher.finalize() }
        hasher = object.before
        guard let member = object.rest.popFirst() else {
            hasher.combine(object.combined)
            return
        }
        hasher.combine(member.key)
        object.isInMember = true
        open.append(.object(object))
        visit(member.value)
    }
}
