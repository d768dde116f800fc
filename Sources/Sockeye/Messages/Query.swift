/// Parameters of a URL's query, in the style of AFNetworking: nested keys in brackets, sorted.
///
/// ```swift
/// ["page": 2, "tags": ["a", "b"], "filter": ["name": "x"], "flag": nil]
/// // filter[name]=x&flag&page=2&tags[]=a&tags[]=b, with the brackets percent-encoded
/// ```
///
/// Booleans are written as 1 and 0. All bytes but letters, digits and `-._~/?` are percent-encoded.
public struct Query: Sendable, Hashable {
    private var parameters: [String: Value]

    /// Makes a query of these parameters.
    public init(_ parameters: [String: Value] = [:]) {
        self.parameters = parameters
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { parameters.isEmpty }

    /// The value of a key.
    public subscript(_ key: String) -> Value? {
        get { parameters[key] }
        set { parameters[key] = newValue }
    }

    /// A value of a parameter: a scalar, a list, or a nested set of parameters.
    public indirect enum Value: Sendable, Hashable {
        /// A key without `=`.
        case null
        /// Written as it stands.
        case string(String)
        /// `key[]` for each element, in order.
        case array([Value])
        /// `key[sub]` for each element, sorted by key.
        case dictionary([String: Value])
    }

    /// The encoded form, without a leading `?`.
    public var encoded: String {
        var output = ""
        Self.write(.dictionary(parameters), key: "", into: &output)
        return output
    }

    private static func write(_ value: Value, key: String, into output: inout String) {
        switch value {
        case .dictionary(let members):
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                write(member, key: key.isEmpty ? name : "\(key)[\(name)]", into: &output)
            }
        case .array(let elements):
            for element in elements { write(element, key: key + "[]", into: &output) }
        case .null:
            separate(&output)
            escape(key, into: &output)
        case .string(let text):
            separate(&output)
            escape(key, into: &output)
            output.append("=")
            escape(text, into: &output)
        }
    }

    private static func separate(_ output: inout String) {
        if !output.isEmpty { output.append("&") }
    }

    private static let hexDigits = Array("0123456789ABCDEF".unicodeScalars)

    private static func escape(_ text: String, into output: inout String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "?"):
                output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                output.append("%")
                output.unicodeScalars.append(hexDigits[Int(byte >> 4)])
                output.unicodeScalars.append(hexDigits[Int(byte & 15)])
            }
        }
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    /// Makes a query from a literal; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        parameters = Dictionary(elements) { _, last in last }
    }
}
