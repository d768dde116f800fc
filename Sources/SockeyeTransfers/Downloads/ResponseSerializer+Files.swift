public import SockeyeEngine
public import SockeyeHTTP

extension DownloadedFile {
    /// Writes the content of a response to a file; see
    /// ``Sockeye/ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)``.
    public struct Serializer: ResponseSerializer {
        let destination: DownloadDestination
        let checksums: [Checksum]
        let verifiesAnnouncedChecksums: Bool

        /// Writes the file.
        public func value(of response: IncomingResponse) async throws(SockeyeError) -> DownloadedFile {
            try await response.download(
                to: destination, checksums: checksums, verifiesAnnouncedChecksums: verifiesAnnouncedChecksums)
        }
    }
}

extension ResponseSerializer where Self == DownloadedFile.Serializer {
    /// Writes the content to a file; see
    /// ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``.
    ///
    /// Works with any method. Unlike a ``DownloadTask``, it does not continue automatically if the transfer breaks off.
    ///
    /// ```swift
    /// let file = try await client.post(
    ///     "reports", .json(query), as: .file(to: .folder("/var/reports")))
    /// ```
    public static func file(
        to destination: DownloadDestination, checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true
    ) -> Self {
        DownloadedFile.Serializer(
            destination: destination, checksums: checksums, verifiesAnnouncedChecksums: verifiesAnnouncedChecksums)
    }
}

extension IncomingResponse {
    /// Decides by the head of a response whether to make a value from it, save it to a file, or cancel.
    ///
    /// The counterpart of AFNetworking's `setDataTaskDidReceiveResponseBlock:`.
    ///
    /// ```swift
    /// let task = try client.dataTask(
    ///     .get, "report",
    ///     as: IncomingResponse.DecidingSerializer(.json(Report.self)) { response in
    ///         response.contentType?.matches("application/json") == true
    ///             ? .allow : .download(to: .folder("/var/reports"))
    ///     })
    /// switch try await task.value {
    /// case .value(let report): show(report)
    /// case .file(let file): print("kept at \(file.path)")
    /// }
    /// ```
    public struct DecidingSerializer<Base: ResponseSerializer>: ResponseSerializer {
        private let base: Base
        private let decide: @Sendable (IncomingResponse) async throws -> IncomingResponse.Disposition

        /// Creates a serializer.
        ///
        /// - Parameters:
        ///   - base: Converts a response for which `decide` returns `allow`. It may refuse the response, for example
        ///     because of its status.
        ///   - decide: Returns the decision. It must not read the body. An error that it throws fails the call, wrapped
        ///     in ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` unless it is a ``/Sockeye/SockeyeError``.
        ///     `CancellationError` becomes ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``.
        public init(
            _ base: Base, by decide: @escaping @Sendable (IncomingResponse) async throws -> IncomingResponse.Disposition
        ) {
            self.base = base
            self.decide = decide
        }

        /// The Accept field of `base`.
        public var accept: String? { base.accept }

        /// Calls the closure and carries out its decision.
        public func value(of response: IncomingResponse) async throws -> IncomingResponse.ReceivedContent<Base.Value> {
            switch try await decide(response) {
            case .allow:
                return .value(try await base.value(of: response))
            case .cancel:
                response.discard()
                throw SockeyeError(
                    .init(
                        .cancelled, phase: .head, blame: .caller,
                        message: "the closure of the DecidingSerializer cancelled the response")
                ).about(response.request)
            case .download(let destination, let checksums):
                response.tellOfDownload(to: destination)
                return .file(try await response.download(to: destination, checksums: checksums))
            }
        }
    }

    /// The decision about a response, made when its head has arrived. The counterpart of
    /// `NSURLSessionResponseDisposition`.
    @nonexhaustive public enum Disposition: Sendable {
        /// Makes the requested value from the content.
        case allow
        /// Discards the content; the call ends with ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``.
        case cancel
        /// Saves the content to a file, like
        /// ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``.
        case download(to: DownloadDestination, checksums: [Checksum] = [])
    }

    /// The content of a response as its ``Disposition`` requires: a value or a file.
    ///
    /// Never gains a case: content is kept either in memory or in a file.
    public enum ReceivedContent<Value> {
        /// The requested value.
        case value(Value)
        /// The file with the content.
        case file(DownloadedFile)
    }
}

extension IncomingResponse.ReceivedContent: Sendable where Value: Sendable {}
