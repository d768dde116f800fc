/// The forms of a property list.
public enum PropertyListFormat: String, Sendable, Hashable, Codable {
    /// Text that people can read. The default, as in AFNetworking.
    case xml
    /// Apple's `bplist00`, smaller and quicker to read.
    case binary
}
