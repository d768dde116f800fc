package import SockeyeEssentials

/// A visitor that writes `application/x-www-form-urlencoded` text: pairs joined by `&`, percent-encoded.
///
/// The key of the current value is kept percent-encoded in a second buffer. This buffer grows with each level of
/// nesting and is truncated at the end of the level. So no key is encoded twice, unless a closure of the style makes
/// keys.
struct ParameterWriter: ParameterOutput, ~Copyable {
    private let spaces: RequestParameters.Style.SpaceFormat
    private var output: PercentEncodedBuffer
    private var isFirst = true
    private var key = PercentEncodedBuffer()
    /// The key before percent-encoding, for the style's closures; empty if no closure makes keys.
    private(set) var plainKey = ""
    private let keepsPlainKey: Bool

    init(_ style: RequestParameters.Style, startingIn memory: UnsafeMutableBufferPointer<UInt8>) {
        spaces = style.spaces
        keepsPlainKey = style.makesKeys
        output = unsafe PercentEncodedBuffer(startingIn: memory)
    }

    var text: String { output.text }

    // MARK: - Pairs

    /// Writes text under a name of the outermost level, without the second buffer.
    mutating func writePair(_ name: String, _ value: String) {
        output.append(name, value, isFirst: isFirst, spaces: spaces)
        isFirst = false
    }

    mutating func write(_ value: ParameterValue, in style: RequestParameters.Style) throws(RequestParameters
        .EncodingError)
    {
        let value = try ScalarText(value, style)
        guard value != .nothing else { return }
        separate()
        output.append(key)
        if case .text(let text) = value { writeValue(text) }
    }

    private mutating func separate() {
        if !isFirst { output.append(UInt8(ascii: "&")) }
        isFirst = false
    }

    private mutating func writeValue(_ text: String) {
        output.append(UInt8(ascii: "="))
        output.append(text, spaces: spaces)
    }

    // MARK: - The current key

    /// The current key, for ``restoreKey(_:)``.
    var keyMark: (length: Int, plain: String) { (key.count, plainKey) }

    mutating func restoreKey(_ mark: (length: Int, plain: String)) {
        if keepsPlainKey { replaceKey(mark.plain) } else { key.truncate(to: mark.length) }
    }

    mutating func appendToKey(_ text: String) {
        key.append(text, spaces: spaces)
        if keepsPlainKey { plainKey += text }
    }

    mutating func replaceKey(_ plain: String) {
        plainKey = plain
        key.truncate(to: 0)
        key.append(plain, spaces: spaces)
    }
}

/// A leaf parameter: its key and its scalar value, before percent-encoding.
package struct ParameterPair: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        /// Data that a multipart form sends unchanged as the content of a part.
        case data(Data)
    }

    package let name: String
    package let value: Value
}

extension RequestParameters.Style {
    /// Returns the parameters as names and values, for the parts of a multipart form. Their order is that in which
    /// ``encode(_:)`` writes them. Names and values are neither percent-encoded nor joined. Data stays unchanged, and
    /// null becomes empty text unless the style drops it.
    ///
    /// - Throws: The errors of ``encode(_:)``, and `wholeStyle` for a style that is a single closure.
    package func pairs(of parameters: RequestParameters) throws(RequestParameters.EncodingError) -> [ParameterPair] {
        guard whole == nil else { throw RequestParameters.EncodingError(.wholeStyle) }
        var writer = ParameterPairWriter()
        try write(parameters, to: &writer)
        return writer.pairs
    }
}

/// A visitor that collects pairs.
private struct ParameterPairWriter: ParameterOutput {
    private(set) var pairs: [ParameterPair] = []
    private(set) var plainKey = ""

    mutating func writePair(_ name: String, _ value: String) {
        pairs.append(ParameterPair(name: name, value: .text(value)))
    }

    mutating func write(_ value: ParameterValue, in style: RequestParameters.Style) throws(RequestParameters
        .EncodingError)
    {
        if case .data(let data) = value {
            pairs.append(ParameterPair(name: plainKey, value: .data(data)))
            return
        }
        switch try ScalarText(value, style) {
        case .nothing: break
        case .bareKey: writePair(plainKey, "")
        case .text(let text): writePair(plainKey, text)
        }
    }

    var keyMark: String { plainKey }
    mutating func restoreKey(_ mark: String) { plainKey = mark }
    mutating func appendToKey(_ text: String) { plainKey += text }
    mutating func replaceKey(_ plain: String) { plainKey = plain }
}
