public import SockeyeSerialization

/// A property list of any shape. It has the same type as the values of request parameters, but property lists support
/// neither sets, decimals nor null.
public typealias PropertyListValue = ParameterValue

/// The formats of a property list.
@nonexhaustive public enum PropertyListFormat: String, Sendable, Hashable {
    /// Human-readable text. The default, as in AFNetworking.
    case xml
    /// Apple's `bplist00`, which is smaller and faster to read.
    case binary
}

/// The reason why bytes are not a property list, or are refused.
public struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a fault. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case malformed, unsupported, tooDeep, tooLarge
        }

        private let value: Value

        /// The bytes violate the format at ``PropertyListError/offset``, or a text has more than 256 consecutive
        /// combining marks. The text format of NeXTSTEP (`{ key = value; }`) counts as malformed.
        public static let malformed = Kind(value: .malformed)
        /// The list uses an unsupported feature, such as entities declared in the document or a keyed archive.
        public static let unsupported = Kind(value: .unsupported)
        /// Arrays and dictionaries are nested deeper than ``/Sockeye/RequestParameters/maximumDepth``, or contain
        /// themselves.
        public static let tooDeep = Kind(value: .tooDeep)
        /// The list would become much larger than its bytes, because it refers to the same objects many times.
        public static let tooLarge = Kind(value: .tooLarge)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// The kind of the fault.
    public let kind: Kind
    /// A sentence that describes the fault, without content of the list. Its wording may change.
    public let message: String
    /// The position in bytes, counted from 0.
    public let offset: Int

    init(_ kind: Kind, _ message: String, at offset: Int) {
        self.kind = kind
        self.message = message
        self.offset = offset
    }

    /// The message and the position.
    public var description: String { "\(message) (at byte \(offset))" }
}
