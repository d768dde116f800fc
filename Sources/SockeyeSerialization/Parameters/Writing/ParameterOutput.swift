/// Where a ``ParameterStyle`` puts keys and values on its walk over parameters.
protocol ParameterOutput: ~Copyable {
    associatedtype KeyMark

    /// Text under a plain name, outside of all others.
    mutating func writePair(_ name: String, _ value: String)
    /// A value without others inside, under the current key.
    mutating func write(_ value: ParameterValue, in style: ParameterStyle) throws(ParameterEncodingError)

    /// What ``restoreKey(_:)`` needs.
    var keyMark: KeyMark { get }
    mutating func restoreKey(_ mark: KeyMark)
    mutating func appendToKey(_ text: String)
    mutating func replaceKey(_ plain: String)
    /// The current key as it is; where the style makes no keys of its own it may be empty.
    var plainKey: String { get }
}
