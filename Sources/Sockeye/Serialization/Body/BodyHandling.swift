public import SockeyeEngine

/// What is done with a body before a ``BodyResponseSerializer`` gets it.
///
/// In this order: the response is validated, the body collected up to the limit, preprocessed, and looked at whether there
/// is anything in it.
public struct BodyHandling: Sendable {
    /// By reference, since it is copied with every serializer and changed hardly ever.
    private var storage: Storage

    private final class Storage: Sendable {
        let validation: ResponseValidation
        let limit: Int
        let emptyBody: BodyHandling.EmptyBodyPolicy
        let preprocessor: BodyHandling.Preprocessor?

        init(
            _ validation: ResponseValidation, _ limit: Int, _ emptyBody: BodyHandling.EmptyBodyPolicy,
            _ preprocessor: BodyHandling.Preprocessor?
        ) {
            self.validation = validation
            self.limit = limit
            self.emptyBody = emptyBody
            self.preprocessor = preprocessor
        }
    }

    /// Which responses are accepted. Default: 200 to 299, and any type.
    public var validation: ResponseValidation {
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
        validation: ResponseValidation = ResponseValidation(), limit: Int = IncomingResponse.defaultCollectLimit,
        emptyBody: BodyHandling.EmptyBodyPolicy = BodyHandling.EmptyBodyPolicy(),
        preprocessor: BodyHandling.Preprocessor? = nil
    ) {
        storage = Storage(validation, limit, emptyBody, preprocessor)
    }

    /// The defaults for content of these media types.
    public init(contentTypes: [String]) {
        self.init(validation: ResponseValidation(contentTypes: contentTypes))
    }
}
