extension RequestParameters {
    /// Why a value cannot become parameters, or parameters cannot become text, and where.
    ///
    /// It holds no values: parameters may carry secrets, and errors end up in logs. Keys are in it.
    public struct EncodingError: Error, Sendable, CustomStringConvertible {
        /// What was wrong. More codes may be added in a minor release.
        public struct Code: Sendable, Hashable, CustomStringConvertible {
            private enum Value: String, Sendable {
                case nonFiniteNumber = "the number, or the time of a date, is infinite or not a number"
                case dateOutOfRange = "the date lies outside the years 0 to 9999"
                case tooDeep = "the value is nested deeper than 200 levels, or than the stack of the thread allows"
                case notADictionary = "the outermost value has no keys"
                case conflictingContainers = "the value asked its encoder for containers of different kinds"
                case valueFailed = "the value's own encoding failed"
                case wholeStyle = "a style that is one closure has no single keys and values"
                case styleFailed = "the style's closure failed"
                case unsupportedValue = "the value's type is not one that parameters can hold"
            }

            private let value: Value

            /// A number that is not finite, where the style asks for an error; or such a date.
            public static let nonFiniteNumber = Code(value: .nonFiniteNumber)
            /// A date that cannot be written as a calendar date of four-digit years, 0000 to 9999.
            public static let dateOutOfRange = Code(value: .dateOutOfRange)
            /// More than ``RequestParameters/maximumDepth`` values inside one another, or more than the thread's stack has room for: 16
            /// levels always fit, and all do on threads of 1 MiB.
            public static let tooDeep = Code(value: .tooDeep)
            /// The outermost value is a scalar, an array or a set: it has no keys for parameters.
            public static let notADictionary = Code(value: .notADictionary)
            /// An `encode(to:)` asked for a keyed container and for an unkeyed one, or encoded two single values.
            public static let conflictingContainers = Code(value: .conflictingContainers)
            /// An `encode(to:)` threw; see ``RequestParameters/EncodingError/underlying``.
            public static let valueFailed = Code(value: .valueFailed)
            /// A closure of the ``RequestParameters/Style`` threw; see ``RequestParameters/EncodingError/underlying``.
            public static let styleFailed = Code(value: .styleFailed)

            /// The style is one closure for all parameters, where their keys and values are needed one by one, as for parts of
            /// a form.
            public static let wholeStyle = Code(value: .wholeStyle)

            /// A value of a nested literal whose type is neither ``ParameterConvertible`` nor an enum with raw values.
            public static let unsupportedValue = Code(value: .unsupportedValue)

            /// One sentence for people; its wording may change.
            public var description: String { value.rawValue }
        }

        /// What was wrong.
        public let code: Code
        /// The keys that lead to the value, outermost first; elements of arrays and sets are named by their index.
        public private(set) var path: [String]
        /// What a value or a closure threw; nil for the other codes.
        public let underlying: (any Error)?

        package init(_ code: Code, at path: [String] = [], underlying: (any Error)? = nil) {
            self.code = code
            self.path = path
            self.underlying = underlying
        }

        /// The same error, seen from the value that has this one under `key`.
        func inside(_ key: String) -> RequestParameters.EncodingError {
            var error = self
            error.path.insert(key, at: 0)
            return error
        }

        /// For example `filter.prices.0: the number, or the time of a date, is infinite or not a number`.
        public var description: String {
            path.isEmpty ? code.description : "\(path.joined(separator: ".")): \(code)"
        }
    }
}
