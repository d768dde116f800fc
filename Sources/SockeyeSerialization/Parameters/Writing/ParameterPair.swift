package import FoundationEssentials

/// A parameter without others inside, before it is written anywhere.
package struct ParameterPair: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        /// Data in a place that can take it as it is.
        case data(Data)
    }

    package let name: String
    package let value: Value
}

extension ParameterStyle {
    /// The parameters as names and values in the order in which they would stand in a query, neither percent-encoded nor
    /// joined: for parts of a form. Data stays as it is, and null is empty.
    ///
    /// - Throws: As ``encode(_:)``, and for a style that is a closure.
    package func pairs(of parameters: Parameters) throws(ParameterEncodingError) -> [ParameterPair] {
        guard whole == nil else { throw ParameterEncodingError(.wholeStyle) }
        var writer = ParameterPairWriter()
        try write(parameters, to: &writer)
        return writer.pairs
    }
}

/// Collects pairs.
private struct ParameterPairWriter: ParameterOutput {
    private(set) var pairs: [ParameterPair] = []
    private(set) var plainKey = ""

    mutating func writePair(_ name: String, _ value: String) {
        pairs.append(ParameterPair(name: name, value: .text(value)))
    }

    mutating func write(_ value: ParameterValue, in style: ParameterStyle) throws(ParameterEncodingError) {
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
