public import SockeyeCore
public import SockeyeEngine

/// The steps of a ``BodySerializer`` before it converts the body to a value.
///
/// They validate the response, collect the body up to the limit, preprocess it, and decide whether an empty body is a
/// value or an error.
public struct BodyHandling: Sendable {
    /// A reference, because serializers are copied often and their settings rarely change.
    private var storage: Storage

    private final class Storage: Sendable {
        let validation: IncomingResponse.Validation
        let limit: Int
        let emptyBody: BodyHandling.EmptyBodyPolicy
        let preprocessor: BodyHandling.Preprocessor?

        init(
            _ validation: IncomingResponse.Validation, _ limit: Int, _ emptyBody: BodyHandling.EmptyBodyPolicy,
            _ preprocessor: BodyHandling.Preprocessor?
        ) {
            self.validation = validation
            self.limit = limit
            self.emptyBody = emptyBody
            self.preprocessor = preprocessor
        }
    }

    /// The conditions for a response to be accepted. Default: 200 to 299, and any type.
    public var validation: IncomingResponse.Validation {
        get { storage.validation }
        set { storage = Storage(newValue, limit, emptyBody, preprocessor) }
    }

    /// The maximum size of a body in bytes. Default 16 MiB.
    ///
    /// A longer body fails the call with ``SockeyeError/Code-swift.struct/limitExceeded``. If the response declares a
    /// longer body, the call fails before it reads any of the body.
    public var limit: Int {
        get { storage.limit }
        set { storage = Storage(validation, newValue, emptyBody, preprocessor) }
    }

    /// The policy for empty bodies.
    public var emptyBody: BodyHandling.EmptyBodyPolicy {
        get { storage.emptyBody }
        set { storage = Storage(validation, limit, newValue, preprocessor) }
    }

    /// A change of the body before it is decoded. Default nil: no change.
    public var preprocessor: BodyHandling.Preprocessor? {
        get { storage.preprocessor }
        set { storage = Storage(validation, limit, emptyBody, newValue) }
    }

    /// Creates a handling. Omitted arguments take the default of their property.
    public init(
        validation: IncomingResponse.Validation = IncomingResponse.Validation(),
        limit: Int = IncomingResponse.defaultCollectLimit,
        emptyBody: BodyHandling.EmptyBodyPolicy = BodyHandling.EmptyBodyPolicy(),
        preprocessor: BodyHandling.Preprocessor? = nil
    ) {
        storage = Storage(validation, limit, emptyBody, preprocessor)
    }

    /// Creates a handling for content of these media types, with the default of each other property.
    public init(contentTypes: [String]) {
        self.init(validation: IncomingResponse.Validation(contentTypes: contentTypes))
    }
}

// These methods are not generic over the type of the serializer's value, so that they are compiled only once.

extension BodyHandling {
    /// Returns the preprocessed body of an accepted response.
    package func body(of response: IncomingResponse) async throws(SockeyeError) -> Bytes {
        guard validation.objections(to: response).isEmpty else {
            // A response of the wrong type is still accepted if its status is accepted and its body is empty. Every
            // other response is refused here, and its error keeps only the start of the body.
            let start = await response.leadingBytes()
            if start.bytes.isEmpty, let failure = start.failure {
                throw validation.refusal(of: response, unreadBy: failure)
            }
            try check(start.bytes, of: response)
            return try preprocessing(start.bytes, of: response)
        }
        return try preprocessing(try await response.body.collect(upTo: limit), of: response)
    }

    /// - Throws: If a response with this body is not accepted, or if the body exceeds the limit.
    func check(_ body: Bytes, of response: IncomingResponse) throws(SockeyeError) {
        if let refusal = validation.refusal(of: response, body: body) { throw refusal }
        guard body.count <= limit else {
            throw SockeyeError.tooLarge(limit: limit, seen: body.count).about(response.request)
        }
    }

    func preprocessing(_ body: Bytes, of response: IncomingResponse) throws(SockeyeError) -> Bytes {
        guard let preprocessor else { return body }
        do {
            return try preprocessor.process(body, of: response)
        } catch {
            throw response.conversionFailure(error, body: body)
        }
    }
}

extension BodyHandling {
    /// A change of a body before it is decoded.
    ///
    /// ```swift
    /// // some servers add this prefix to prevent JSON hijacking
    /// .json(User.self).preprocessed(.removingPrefix(")]}',\n"))
    /// ```
    public struct Preprocessor: Sendable {
        package enum Kind: Sendable {
            case prefix(String)
            case custom(@Sendable (Bytes, IncomingResponse) throws -> Bytes)
        }

        package let kind: Kind

        /// Removes `prefix`; a body without it stays unchanged.
        public static func removingPrefix(_ prefix: String) -> BodyHandling.Preprocessor {
            BodyHandling.Preprocessor(kind: .prefix(prefix))
        }

        /// Replaces the body by the result of a closure. The closure also gets the response, whose body has been read.
        ///
        /// An error that the closure throws fails the call with ``SockeyeError/Code-swift.struct/decodingFailed``,
        /// unless it is a ``SockeyeError``. A serializer with a closure cannot be archived: encoding it throws.
        public static func custom(_ change: @escaping @Sendable (Bytes, IncomingResponse) throws -> Bytes)
            -> BodyHandling.Preprocessor
        {
            BodyHandling.Preprocessor(kind: .custom(change))
        }

        func process(_ body: Bytes, of response: IncomingResponse) throws -> Bytes {
            switch kind {
            case .custom(let change): return try change(body, response)
            case .prefix(let prefix):
                return body.starts(with: prefix.utf8) ? body.slice(prefix.utf8.count..<body.count) : body
            }
        }
    }
}
