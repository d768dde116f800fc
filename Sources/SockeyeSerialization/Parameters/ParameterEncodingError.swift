extension RequestParameters {
    /// An error in the conversion of a value to parameters, or of parameters to text. ``path`` tells where it occurred.
    ///
    /// The error contains keys but no values: parameters may carry secrets, and errors are written to logs.
    public struct EncodingError: Error, Sendable, CustomStringConvertible {
        /// The kind of the error. More codes may be added in a minor release.
        public struct Code: Sendable, Hashable, CustomStringConvertible {
            private enum Value: String, Sendable {
                case nonFiniteNumber = "the number or date is infinite or NaN"
                case dateOutOfRange = "the date lies outside the years 0 to 9999"
                case tooDeep = "the value is nested deeper than 200 levels, or than the stack of the thread allows"
                case notADictionary = "the outermost value has no keys"
                case conflictingContainers = "the value asked its encoder for containers of different kinds"
                case valueFailed = "the value's own encoding failed"
                case wholeStyle = "the style is a single closure, which cannot write keys and values separately"
                case styleFailed = "the style's closure failed"
                case unsupportedValue = "the value's type is not one that parameters can hold"
            }

            private let value: Value

            /// A number, or the time of a date, is infinite or NaN. If the style writes dates in milliseconds or in a
            /// calendar format, such a date always causes this error. Numbers, and dates in seconds, cause the error
            /// only if the style's ``RequestParameters/Style/nonFinite`` is `error`.
            public static let nonFiniteNumber = Code(value: .nonFiniteNumber)
            /// A date is too early or too late for the format of the style. A calendar format has only the years 0000
            /// to 9999. A number of milliseconds must fit into `Int64`.
            public static let dateOutOfRange = Code(value: .dateOutOfRange)
            /// More than ``RequestParameters/maximumDepth`` levels of nested values, or more than the thread's stack
            /// can hold. 16 levels always fit, and the maximum number of levels fits on threads with a stack of 1 MiB.
            public static let tooDeep = Code(value: .tooDeep)
            /// The outermost value is a scalar, an array or a set, so it has no keys for parameters.
            public static let notADictionary = Code(value: .notADictionary)
            /// An `encode(to:)` used containers of different kinds (keyed, unkeyed, single value), or encoded two
            /// single values.
            public static let conflictingContainers = Code(value: .conflictingContainers)
            /// An `encode(to:)` threw; see ``RequestParameters/EncodingError/underlying``.
            public static let valueFailed = Code(value: .valueFailed)
            /// A closure of the ``RequestParameters/Style`` threw; see ``RequestParameters/EncodingError/underlying``.
            public static let styleFailed = Code(value: .styleFailed)

            /// The style is one closure for all parameters, but their keys and values are needed separately, for
            /// example for parts of a form.
            public static let wholeStyle = Code(value: .wholeStyle)

            /// A nested literal, such as `["b": value]` in `["a": ["b": value]]`, contains a value of an unsupported
            /// type. The type must be ``ParameterConvertible`` or an enum with raw values.
            public static let unsupportedValue = Code(value: .unsupportedValue)

            /// A sentence in English; its wording may change.
            public var description: String { value.rawValue }
        }

        /// The kind of the error.
        public let code: Code
        /// The keys that lead to the value, outermost first; elements of arrays and sets are named by their index.
        public private(set) var path: [String]
        /// The error that a value (`valueFailed`) or a closure (`styleFailed`) threw; nil for all other codes.
        public let underlying: (any Error)?

        package init(_ code: Code, at path: [String] = [], underlying: (any Error)? = nil) {
            self.code = code
            self.path = path
            self.underlying = underlying
        }

        /// Returns the error with `key` in front of its path.
        func inside(_ key: String) -> RequestParameters.EncodingError {
            var error = self
            error.path.insert(key, at: 0)
            return error
        }

        /// For example `filter.prices.0: the number or date is infinite or NaN`.
        public var description: String {
            path.isEmpty ? code.description : "\(path.joined(separator: ".")): \(code)"
        }
    }
}
