public import SockeyeSerialization

/// A property list without a type of its own: what parameters can be made of, less sets, decimals and null, which
/// property lists do not have.
public typealias PropertyListValue = ParameterValue

/// The forms of a property list.
@nonexhaustive public enum PropertyListFormat: String, Sendable, Hashable {
    /// Text that people can read. The default, as in AFNetworking.
    case xml
    /// Apple's `bplist00`, smaller and quicker to read.
    case binary
}

/// Why bytes are no property list, or none that is read here.
public struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case malformed, unsupported, tooDeep, tooLarge
        }

        private let value: Value

        /// The bytes break the format; ``PropertyListError/offset`` tells where.
        public static let malformed = Kind(value: .malformed)
        /// A format or a kind of object that is not read: old-style lists, entities of the document's own, keyed archives.
        public static let unsupported = Kind(value: .unsupported)
        /// Arrays and dictionaries are nested deeper than ``/Sockeye/RequestParameters/maximumDepth``, or contain themselves.
        public static let tooDeep = Kind(value: .tooDeep)
        /// The list would become much larger than its bytes are, because it refers to the same objects many times.
        public static let tooLarge = Kind(value: .tooLarge)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let kind: Kind
    /// One sentence for people, without a word of the list; its wording may change.
    public let message: String
    /// The place in bytes, counted from 0.
    public let offset: Int

    init(_ kind: Kind, _ message: String, at offset: Int) {
        self.kind = kind
        self.message = message
        self.offset = offset
    }

    /// The reason and the place.
    public var description: String { "\(message) (at byte \(offset))" }
}
