extension RequestParameters.Style {
    /// Returns the parameters as text, without a leading `?`; empty if there are no parameters.
    ///
    /// - Throws: ``RequestParameters/EncodingError`` for numbers that are not finite, unless ``nonFinite`` allows them.
    ///   Also for dates that the format in ``dates`` cannot represent, values of unsupported types, and errors of the
    ///   style's closures. Also for values nested deeper than ``RequestParameters/maximumDepth``, or deeper than the
    ///   thread's stack allows.
    public func encode(_ parameters: RequestParameters) throws(RequestParameters.EncodingError) -> String {
        if let whole {
            return try RequestParameters.EncodingError.wrappingStyleErrors { try whole(parameters) }
        }
        guard !parameters.isEmpty else { return "" }
        // Before Swift 6.3 `withUnsafeTemporaryAllocation` loses the error type of its closure.
        let text: Result<String, RequestParameters.EncodingError> = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: 1024
        ) { memory in
            var writer = unsafe ParameterWriter(self, startingIn: memory)
            do throws(RequestParameters.EncodingError) {
                try write(parameters, to: &writer)
            } catch {
                return .failure(error)
            }
            return .success(writer.text)
        }
        return try text.get()
    }
}

/// A step of the path from a value to a nested value.
private enum Step {
    case member(String)
    case arrayElement(Int)
    case setElement(Int)

    var name: String {
        switch self {
        case .member(let name): name
        case .arrayElement(let index), .setElement(let index): String(index)
        }
    }
}

extension RequestParameters.Style {
    /// True if a closure of the style makes the keys of elements or nested values.
    var makesKeys: Bool {
        if case .custom = arrays { return true }
        if case .custom = nesting { return true }
        return false
    }

    /// Writes all parameters to `writer`, in the order of the style.
    ///
    /// - Parameter depth: The number of dictionaries, arrays and sets that enclose these parameters.
    func write(
        _ parameters: RequestParameters, depth: Int = 0, to writer: inout some ParameterOutput & ~Copyable
    ) throws(RequestParameters.EncodingError) {
        try check(depth)
        if keepsNames {
            for member in parameters.elements { try write(member, depth: depth + 1, to: &writer) }
        } else {
            for member in arranged(parameters) { try write(member, depth: depth + 1, to: &writer) }
        }
    }

    private func write(
        _ member: RequestParameters.Element, depth: Int, to writer: inout some ParameterOutput & ~Copyable
    ) throws(RequestParameters.EncodingError) {
        // The most frequent kind of parameter.
        if depth == 1, case .string(let text) = member.value {
            writer.writePair(member.name, text)
        } else {
            try write(member.value, at: .member(member.name), depth: depth, to: &writer)
        }
    }

    private func write(
        _ value: ParameterValue, at step: Step, depth: Int, to writer: inout some ParameterOutput & ~Copyable
    ) throws(RequestParameters.EncodingError) {
        let mark = writer.keyMark
        extendKey(of: &writer, by: step, isOutermost: depth == 1)
        do throws(RequestParameters.EncodingError) {
            try write(value, depth: depth, to: &writer)
        } catch {
            throw error.inside(step.name)
        }
        writer.restoreKey(mark)
    }

    private func write(
        _ value: ParameterValue, depth: Int, to writer: inout some ParameterOutput & ~Copyable
    ) throws(RequestParameters.EncodingError) {
        switch value {
        case .dictionary(let members): try write(members, depth: depth, to: &writer)
        case .array(let elements):
            try check(depth)
            for (index, element) in elements.enumerated() {
                try write(element, at: .arrayElement(index), depth: depth + 1, to: &writer)
            }
        case .set(let elements):
            try check(depth)
            for (index, element) in ParameterValue.sorted(elements).enumerated() {
                try write(element, at: .setElement(index), depth: depth + 1, to: &writer)
            }
        default:
            try writer.write(value, in: self)
        }
    }

    private func check(_ depth: Int) throws(RequestParameters.EncodingError) {
        guard depth < RequestParameters.maximumDepth, StackSpace.allowsWalk(at: depth) else {
            throw RequestParameters.EncodingError(.tooDeep)
        }
    }

    // MARK: - Keys

    private func extendKey(of writer: inout some ParameterOutput & ~Copyable, by step: Step, isOutermost: Bool) {
        switch step {
        case .member(let name) where isOutermost: writer.appendToKey(name)
        case .member(let name):
            switch nesting {
            case .brackets:
                writer.appendToKey("[")
                writer.appendToKey(name)
                writer.appendToKey("]")
            case .dots:
                writer.appendToKey(".")
                writer.appendToKey(name)
            case .custom(let key): writer.replaceKey(key(writer.plainKey, name))
            }
        case .arrayElement(let index): extendKey(of: &writer, byElement: index)
        case .setElement(let index):
            if case .likeArrays = sets { extendKey(of: &writer, byElement: index) }
        }
    }

    private func extendKey(of writer: inout some ParameterOutput & ~Copyable, byElement index: Int) {
        switch arrays {
        case .brackets: writer.appendToKey("[]")
        case .repeated: break
        case .indices: writer.appendToKey("[\(index)]")
        case .custom(let key): writer.replaceKey(key(writer.plainKey, index))
        }
    }
}

/// A visitor that receives the keys and values from a ``RequestParameters/Style``'s walk over parameters.
protocol ParameterOutput: ~Copyable {
    associatedtype KeyMark

    /// Writes a top-level parameter with text as its value.
    mutating func writePair(_ name: String, _ value: String)
    /// Writes a scalar value under the current key.
    mutating func write(_ value: ParameterValue, in style: RequestParameters.Style) throws(RequestParameters
        .EncodingError)

    /// The state of the current key, for ``restoreKey(_:)``.
    var keyMark: KeyMark { get }
    /// Makes the key of an earlier ``keyMark`` the current key again.
    mutating func restoreKey(_ mark: KeyMark)
    /// Appends text to the current key. The caller has not percent-encoded the text.
    mutating func appendToKey(_ text: String)
    /// Replaces the whole current key with `plain`, which the caller has not percent-encoded.
    mutating func replaceKey(_ plain: String)
    /// The current key before percent-encoding, for the style's closures. May be empty if `makesKeys` is false.
    var plainKey: String { get }
}
