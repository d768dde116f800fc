// Comparing and hashing do not recurse, because the calling thread may have a small stack. Sets are the exception: the
// standard library calls these functions for each element of a set. Data from a peer is never decoded into a set, so a
// peer cannot cause deep recursion.

extension RequestParameters: Hashable {
    /// Returns true if both have the same names with equal values.
    public static func == (left: RequestParameters, right: RequestParameters) -> Bool {
        ParameterValue.dictionary(left) == ParameterValue.dictionary(right)
    }

    /// Feeds names and values to the hasher.
    public func hash(into hasher: inout Hasher) {
        ParameterValue.dictionary(self).hash(into: &hasher)
    }
}

extension ParameterValue: Hashable {
    // These two functions are not inlined, because the compiler would otherwise insert copies of them wherever a `Set`
    // of values compares or hashes an element.

    /// Returns true if both are the same kind of value with the same content.
    @inline(never)
    public static func == (left: Self, right: Self) -> Bool {
        var pending: [(Self, Self)] = []
        guard isEqual(left, right, &pending) else { return false }
        while let (left, right) = pending.popLast() {
            guard hasEqualParts(left, right, &pending) else { return false }
        }
        return true
    }

    /// Feeds the value to the hasher.
    @inline(never)
    public func hash(into hasher: inout Hasher) {
        var pending: [Self] = []
        Self.feed(self, to: &hasher, &pending)
        while let container = pending.popLast() {
            switch container {
            case .array(let elements):
                for element in elements { Self.feed(element, to: &hasher, &pending) }
            case .dictionary(let members):
                for member in members.elements {
                    hasher.combine(member.name)
                    Self.feed(member.value, to: &hasher, &pending)
                }
            default: break
            }
        }
    }

    /// Compares two values without their parts. Non-empty arrays and dictionaries of equal size are added to `pending`,
    /// because their parts must still be compared.
    private static func isEqual(_ left: Self, _ right: Self, _ pending: inout [(Self, Self)]) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.integer(let left), .integer(let right)): return left == right
        case (.unsignedInteger(let left), .unsignedInteger(let right)): return left == right
        case (.double(let left), .double(let right)): return left == right
        case (.decimal(let left), .decimal(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.data(let left), .data(let right)): return left == right
        case (.date(let left), .date(let right)): return left == right
        case (.set(let left), .set(let right)): return left == right
        case (.unsupported(let left), .unsupported(let right)): return left == right
        case (.array(let one), .array(let other)):
            guard one.count == other.count else { return false }
            if !one.isEmpty { pending.append((left, right)) }
        case (.dictionary(let one), .dictionary(let other)):
            guard one.count == other.count else { return false }
            if !one.isEmpty { pending.append((left, right)) }
        default: return false
        }
        return true
    }

    /// Compares the parts of two containers of the same kind and size.
    private static func hasEqualParts(_ left: Self, _ right: Self, _ pending: inout [(Self, Self)]) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            for index in left.indices where !isEqual(left[index], right[index], &pending) { return false }
        case (.dictionary(let left), .dictionary(let right)):
            for (one, other) in zip(left.elements, right.elements) {
                guard one.name == other.name, isEqual(one.value, other.value, &pending) else { return false }
            }
        default: break
        }
        return true
    }

    /// Feeds a value without its parts to the hasher. Non-empty arrays and dictionaries are added to `pending`, because
    /// their parts must still be fed.
    private static func feed(_ value: Self, to hasher: inout Hasher, _ pending: inout [Self]) {
        switch value {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .unsignedInteger(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .set(let values): hasher.combine(values)
        case .unsupported(let type): hasher.combine(type)
        case .array(let elements):
            hasher.combine(elements.count)
            if !elements.isEmpty { pending.append(value) }
        case .dictionary(let members):
            hasher.combine(members.count)
            if !members.isEmpty { pending.append(value) }
        }
    }
}
