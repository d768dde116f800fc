import FoundationEssentials

/// Writes parameters into one buffer.
///
/// The key of the value that is being written is kept percent-encoded in a second buffer, which grows on the way down
/// and is cut on the way up, so that no key is encoded twice.
struct ParameterWriter {
    private let style: ParameterStyle
    private var output: [UInt8] = []
    private var isFirst = true
    private var key: [UInt8] = []
    /// The key before percent-encoding, for the style's closures; empty where there are none.
    private var plainKey = ""
    private let keepsPlainKey: Bool

    init(_ style: ParameterStyle) {
        self.style = style
        var keepsPlainKey = false
        if case .custom = style.arrays { keepsPlainKey = true }
        if case .custom = style.nesting { keepsPlainKey = true }
        self.keepsPlainKey = keepsPlainKey
    }

    mutating func text(of parameters: Parameters) throws(ParameterEncodingError) -> String {
        output.reserveCapacity(32 * parameters.count)
        for (name, value) in style.sorted(parameters.values) {
            try write(value, at: .member(name), depth: 1)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Where a value stands in the one around it.
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

    /// - Parameter depth: How many values are around this one.
    private mutating func write(
        _ value: Parameters.Value, at step: Step, depth: Int
    ) throws(ParameterEncodingError) {
        let (length, plain) = (key.count, plainKey)
        extendKey(by: step, isOutermost: depth == 1)
        do throws(ParameterEncodingError) {
            try write(value, depth: depth)
        } catch {
            throw error.inside(step.name)
        }
        if keepsPlainKey { replaceKey(plain) } else { key.removeLast(key.count - length) }
    }

    private mutating func write(_ value: Parameters.Value, depth: Int) throws(ParameterEncodingError) {
        switch value {
        case .dictionary(let members):
            try check(depth)
            for (name, member) in style.sorted(members) { try write(member, at: .member(name), depth: depth + 1) }
        case .array(let elements):
            try check(depth)
            for (index, element) in elements.enumerated() {
                try write(element, at: .arrayElement(index), depth: depth + 1)
            }
        case .set(let elements):
            try check(depth)
            for (index, element) in Parameters.Value.sorted(elements).enumerated() {
                try write(element, at: .setElement(index), depth: depth + 1)
            }
        default:
            try writePair(ScalarText(value, style))
        }
    }

    private func check(_ depth: Int) throws(ParameterEncodingError) {
        guard depth < Parameters.maximumDepth else { throw ParameterEncodingError(.tooDeep) }
    }

    private mutating func writePair(_ text: ScalarText) {
        guard text != .nothing else { return }
        if !isFirst { output.append(UInt8(ascii: "&")) }
        isFirst = false
        output.append(contentsOf: key)
        guard case .text(let text) = text else { return }
        output.append(UInt8(ascii: "="))
        PercentEscaping.append(text, spaces: style.spaces, to: &output)
    }
}

// MARK: - Keys

extension ParameterWriter {
    private mutating func extendKey(by step: Step, isOutermost: Bool) {
        switch step {
        case .member(let name) where isOutermost: appendToKey(name)
        case .member(let name):
            switch style.nesting {
            case .brackets: appendToKey("[", name, "]")
            case .dots: appendToKey(".", name)
            case .custom(let key): replaceKey(key(plainKey, name))
            }
        case .arrayElement(let index): extendKey(byElement: index)
        case .setElement(let index):
            if case .likeArrays = style.sets { extendKey(byElement: index) }
        }
    }

    private mutating func extendKey(byElement index: Int) {
        switch style.arrays {
        case .brackets: appendToKey("[]")
        case .repeated: break
        case .indices: appendToKey("[", String(index), "]")
        case .custom(let key): replaceKey(key(plainKey, index))
        }
    }

    private mutating func appendToKey(_ parts: String...) {
        for part in parts {
            PercentEscaping.append(part, spaces: style.spaces, to: &key)
            if keepsPlainKey { plainKey += part }
        }
    }

    private mutating func replaceKey(_ plain: String) {
        plainKey = plain
        key.removeAll(keepingCapacity: true)
        PercentEscaping.append(plain, spaces: style.spaces, to: &key)
    }
}
