public import SockeyeEngine

/// Decides at the head of a response what becomes of it: the value of another serializer, a file, or nothing. AFNetworking's
/// `setDataTaskDidReceiveResponseBlock:`, for calls as well as for tasks.
///
/// ```swift
/// let task = try client.dataTask(
///     .get, "report",
///     as: DecidingResponseSerializer(.json(Report.self)) { response in
///         response.contentType?.matches("application/json") == true ? .allow : .download(to: .folder("/var/reports"))
///     })
/// switch try await task.value {
/// case .value(let report): show(report)
/// case .file(let file): print("kept at \(file.path)")
/// }
/// ```
public struct DecidingResponseSerializer<Base: ResponseSerializer>: ResponseSerializer {
    private let base: Base
    private let decide: @Sendable (Response) async throws -> ResponseDisposition

    /// Makes a serializer out of another one and a closure that decides.
    ///
    /// - Parameters:
    ///   - base: What makes the value of a response that is allowed, and says which ones are acceptable.
    ///   - decide: Must leave the body alone. What it throws fails the call, with
    ///     ``SockeyeError/Code-swift.struct/decodingFailed`` if it is not a ``SockeyeError``.
    public init(_ base: Base, by decide: @escaping @Sendable (Response) async throws -> ResponseDisposition) {
        self.base = base
        self.decide = decide
    }

    /// The base's.
    public var accept: String? { base.accept }

    /// Asks, and does what the answer says.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/cancelled`` after ``ResponseDisposition/cancel``; what the base throws; what
    ///   ``Response/download(to:download:onProgress:)`` throws.
    public func value(of response: Response) async throws -> ReceivedContent<Base.Value> {
        switch try await decide(response) {
        case .allow:
            return .value(try await base.value(of: response))
        case .cancel:
            response.discard()
            throw SockeyeError(
                .init(.cancelled, phase: .head, blame: .caller, message: "the response was not wanted")
            ).about(response.request)
        case .download(let destination, let options):
            return .file(try await response.download(to: destination, download: options))
        }
    }
}
