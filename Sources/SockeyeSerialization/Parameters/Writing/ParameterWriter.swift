/// Joins keys and values, percent-encoded.
///
/// The key of the value that is being written is kept percent-encoded in a second buffer, which grows on the way down
/// and is cut on the way up, so that no key is encoded twice.
struct ParameterWriter: ParameterOutput, ~Copyable {
    private let spaces: ParameterStyle.SpaceFormat
    private var output: ByteWriter
    private var isFirst = true
    private var key = ByteWriter()
    /// The key before percent-encoding, for the style's closures; empty where there are none.
    private(set) var plainKey = ""
    private let keepsPlainKey: Bool

    init(_ style: ParameterStyle, startingIn memory: UnsafeMutableBufferPointer<UInt8>) {
        spaces = style.spaces
        keepsPlainKey = style.makesKeys
        output = unsafe ByteWriter(startingIn: memory)
    }

    var text: String { output.text }

    // MARK: - Pairs

    /// Text under a plain name, which needs no second buffer.
    mutating func writePair(_ name: String, _ value: String) {
        output.append(name, value, isFirst: isFirst, spaces: spaces)
        isFirst = false
    }

    mutating func write(_ value: ParameterValue, in style: ParameterStyle) throws(ParameterEncodingError) {
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

    /// What ``restoreKey(_:)`` needs.
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
