/// An attribute of an element.
public struct XMLAttribute: Sendable, Hashable {
    /// Its name. One without a prefix is in no namespace.
    public let name: XMLName
    /// Its value, with references replaced.
    public let value: String

    package init(_ name: XMLName, _ value: String) {
        self.name = name
        self.value = value
    }
}
