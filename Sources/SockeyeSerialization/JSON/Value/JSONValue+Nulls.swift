extension JSONValue {
    /// The value without the members of objects that are `null`, at any depth.
    ///
    /// A `null` in an array keeps its place, since the other elements would move; one at the top stays, too.
    /// AFNetworking: `AFJSONObjectByRemovingKeysWithNullValues`, `removesKeysWithNullValues`.
    public func removingNulls() -> JSONValue {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map { $0.removingNulls() })
        case .object(let members): .object(members.removingNulls())
        }
    }
}

extension JSONObject {
    /// The object without members that are `null`, at any depth; see ``JSONValue/removingNulls()``.
    public func removingNulls() -> JSONObject {
        JSONObject(uniqueMembers: members.compactMap { $0.value.isNull ? nil : ($0.key, $0.value.removingNulls()) })
    }
}
