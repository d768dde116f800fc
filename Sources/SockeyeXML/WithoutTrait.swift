#if !XML
/// An XML document. Unavailable while the package's trait `XML` is off, because libxml2 is not linked then.
@available(*, unavailable, message: "enable the package's trait XML; it needs libxml2-dev")
public struct XMLDocument: Sendable {}
#endif
