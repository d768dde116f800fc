public import SockeyeCore
public import SockeyeEngine

/// The steps of a ``BodySerializer`` before it reads the format: the response is validated, the body collected up to the limit
/// and preprocessed, and an empty one is a value or an error.
public struct BodyHandling: Sendable {
    /// By reference, since it is copied with every serializer and changed hardly ever.
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

    /// Which responses are accepted. Default: 200 to 299, and any type.
    public var validation: IncomingResponse.Validation {
        get { storage.validation }
        set { storage = Storage(newValue, limit, emptyBody, preprocessor) }
    }

    /// The most bytes of a body. Default 16 MiB. A longer body is
    /// ``SockeyeError/Code-swift.struct/limitExceeded``, before any of it is read where its length is declared.
    public var limit: Int {
        get { storage.limit }
        set { storage = Storage(validation, newValue, emptyBody, preprocessor) }
    }

    /// When an empty body is a value.
    public var emptyBody: BodyHandling.EmptyBodyPolicy {
        get { storage.emptyBody }
        set { storage = Storage(validation, limit, newValue, preprocessor) }
    }

    /// What is changed in the body before it is decoded. Default nil: nothing.
    public var preprocessor: BodyHandling.Preprocessor? {
        get { storage.preprocessor }
        set { storage = Storage(validation, limit, emptyBody, newValue) }
    }

    /// Makes a handling out of the defaults named at each property.
    public init(
        validation: IncomingResponse.Validation = IncomingResponse.Validation(),
        limit: Int = IncomingResponse.defaultCollectLimit,
        emptyBody: BodyHandling.EmptyBodyPolicy = BodyHandling.EmptyBodyPolicy(),
        preprocessor: BodyHandling.Preprocessor? = nil
    ) {
        storage = Storage(validation, limit, emptyBody, preprocessor)
    }

    /// The defaults for content of these media types.
    public init(contentTypes: [String]) {
        self.init(validation: IncomingResponse.Validation(contentTypes: contentTypes))
    }
}

// Not generic over the value, so that it is compiled once.

extension BodyHandling {
    /// The body of an acceptable response, preprocessed.
    package func body(of response: IncomingResponse) async throws(SockeyeError) -> Bytes {
        guard validation.objections(to: response).isEmpty else {
            // Of a body that is likely to be refused no more is read than the error keeps.
            let start = await response.leadingBytes()
            if start.bytes.isEmpty, let failure = start.failure { throw failure }
            try check(start.bytes, of: response)
            return try preprocessing(start.bytes, of: response)
        }
        return try preprocessing(try await response.body.collect(upTo: limit), of: response)
    }

    /// - Throws: if a response with this body is not acceptable.
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
        } catch let error as SockeyeError {
            throw error.about(response.request)
        } catch {
            throw response.decodingFailure(error, body: body)
        }
    }
}

extension BodyHandling {
    /// Changes a body before it is decoded.
    ///
    /// ```swift
    /// .json(User.self).preprocessed(.removingPrefix(")]}',\n"))   // what some servers put before JSON against inclusion
    /// ```
    public struct Preprocessor: Sendable {
        package enum Kind: Sendable {
            case prefix(String)
            case custom(@Sendable (Bytes, IncomingResponse) throws -> Bytes)
        }

        package let kind: Kind

        /// Takes `prefix` off; a body without it stays as it is.
        public static func removingPrefix(_ prefix: String) -> BodyHandling.Preprocessor {
            BodyHandling.Preprocessor(kind: .prefix(prefix))
        }

        /// Whatever the closure returns; the body of the response that it gets has been read. An error that it throws ends the
        /// call with ``SockeyeError/Code-swift.struct/decodingFailed``.
        ///
        /// Not archivable: encoding a serializer that has one throws.
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
