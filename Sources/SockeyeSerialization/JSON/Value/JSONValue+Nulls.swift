extension JSONValue {
    /// The value without the members of objects that are `null`, at any depth.
    ///
    /// A `null` in an array keeps its place, since the other elements would move; one at the top stays, too.
    /// AFNetworking: `AFJSONObjectByRemovingKeysWithNullValues`, `removesKeysWithNullValues`.
    public func removingNulls() -> JSONValue {
        var open: [OpenCopy] = []
        var current = self
        while true {
            if let container = OpenCopy(of: current) {
                open.append(container)
            } else if open.isEmpty {
                return current
            } else {
                open[open.count - 1].done.append(current)
            }
            while let last = open.last, last.rest.isEmpty {
                open.removeLast()
                guard !open.isEmpty else { return last.value }
                open[open.count - 1].done.append(last.value)
            }
            current = open[open.count - 1].rest.removeFirst()
        }
    }
}

extension JSONObject {
    /// The object without members that are `null`, at any depth; see ``JSONValue/removingNulls()``.
    public func removingNulls() -> JSONObject {
        JSONValue.object(self).removingNulls().object ?? self
    }
}

/// A container that is being copied without nulls: a stack of these takes the place of recursion.
private struct OpenCopy {
    /// Nil of an array.
    private let keys: [String]?
    var rest: ArraySlice<JSONValue>
    var done: [JSONValue] = []

    /// Nil of what has no parts that could be null.
    init?(of value: JSONValue) {
        switch value {
        case .null, .bool, .number, .string: return nil
        case .array(let elements):
            keys = nil
            rest = elements[...]
        case .object(let object):
            let members = object.members.filter { !$0.value.isNull }
            keys = members.map(\.key)
            rest = members.map(\.value)[...]
        }
    }

    var value: JSONValue {
        guard let keys else { return .array(done) }
        return .object(JSONObject(uniqueMembers: zip(keys, done).map { (key: $0, value: $1) }))
    }
}
