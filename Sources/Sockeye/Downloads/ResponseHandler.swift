public import SockeyeEngine
public import SockeyeHTTP

/// Makes a value of a response at its head by a closure, which reads as much of the body as it wants.
///
/// What ``ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)`` and ``init(deciding:by:)`` return, for calls as well as
/// for tasks.
public struct ResponseHandler<Value>: ResponseSerializer {
    /// What the request says in Accept unless it has that field; nil for nothing.
    public let accept: String?
    private let make: @Sendable (IncomingResponse) async throws -> Value

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - accept: What the request says in Accept; nil, the default, for nothing.
    ///   - make: See ``ResponseSerializer/value(of:)``.
    public init(accept: String? = nil, _ make: @escaping @Sendable (IncomingResponse) async throws -> Value) {
        self.accept = accept
        self.make = make
    }

    /// Calls the closure.
    public func value(of response: IncomingResponse) async throws -> Value { try await make(response) }
}

extension ResponseSerializer where Self == ResponseHandler<DownloadedFile> {
    /// The content as a file; see ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``. For any
    /// method; it does not continue by itself when the transfer breaks off, as a ``DownloadTask`` does.
    ///
    /// ```swift
    /// let file = try await client.post("reports", .json(query), as: .file(to: .folder("/var/reports")))
    /// ```
    public static func file(
        to destination: DownloadDestination, checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true
    ) -> Self {
        ResponseHandler {
            try await $0.download(
                to: destination, checksums: checksums, verifiesAnnouncedChecksums: verifiesAnnouncedChecksums)
        }
    }
}

extension ResponseHandler {
    /// Decides at the head of a response what becomes of it: the value of another serializer, a file, or nothing.
    /// AFNetworking's `setDataTaskDidReceiveResponseBlock:`, for calls as well as for tasks.
    ///
    /// ```swift
    /// let task = try client.dataTask(
    ///     .get, "report",
    ///     as: ResponseHandler(deciding: .json(Report.self)) { response in
    ///         response.contentType?.matches("application/json") == true ? .allow : .download(to: .folder("/var/reports"))
    ///     })
    /// switch try await task.value {
    /// case .value(let report): show(report)
    /// case .file(let file): print("kept at \(file.path)")
    /// }
    /// ```
    ///
    /// ``ResponseDisposition/cancel`` ends the call with ``SockeyeError/Code-swift.struct/cancelled``.
    ///
    /// - Parameters:
    ///   - base: What makes the value of a response that is allowed, and says which ones are acceptable.
    ///   - decide: Must leave the body alone. What it throws fails the call, with
    ///     ``SockeyeError/Code-swift.struct/decodingFailed`` if it is not a ``SockeyeError``.
    public init<Base: ResponseSerializer>(
        deciding base: Base, by decide: @escaping @Sendable (IncomingResponse) async throws -> ResponseDisposition
    ) where Value == ReceivedContent<Base.Value> {
        self.init(accept: base.accept) { response in
            switch try await decide(response) {
            case .allow:
                return .value(try await base.value(of: response))
            case .cancel:
                response.discard()
                throw SockeyeError(
                    .init(.cancelled, phase: .head, blame: .caller, message: "the response was not wanted")
                ).about(response.request)
            case .download(let destination, let checksums):
                return .file(try await response.download(to: destination, checksums: checksums))
            }
        }
    }
}

/// What is to become of a response whose head is there. The counterpart of `NSURLSessionResponseDisposition`.
@nonexhaustive public enum ResponseDisposition: Sendable {
    /// Its content becomes the value that was asked for.
    case allow
    /// Its content is not wanted; the call ends with ``SockeyeError/Code-swift.struct/cancelled``.
    case cancel
    /// Its content becomes a file, as of
    /// ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``.
    case download(to: DownloadDestination, checksums: [Checksum] = [])
}

/// What a response has become whose ``ResponseDisposition`` was decided on at its head.
///
/// Never gains a case: content is kept either in memory or in a file.
public enum ReceivedContent<Value> {
    /// The value that was asked for.
    case value(Value)
    /// A file.
    case file(DownloadedFile)
}

extension ReceivedContent: Sendable where Value: Sendable {}
