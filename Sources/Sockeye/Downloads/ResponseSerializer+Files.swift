public import SockeyeEngine
public import SockeyeHTTP

extension DownloadedFile {
    /// Writes the content of a response into a file; see ``ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)``.
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
    /// The content as a file; see ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``. For any
    /// method; it does not continue by itself when the transfer breaks off, as a ``DownloadTask`` does.
    ///
    /// ```swift
    /// let file = try await client.post("reports", .json(query), as: .file(to: .folder("/var/reports")))
    /// ```
    public static func file(
        to destination: DownloadDestination, checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true
    ) -> Self {
        DownloadedFile.Serializer(
            destination: destination, checksums: checksums, verifiesAnnouncedChecksums: verifiesAnnouncedChecksums)
    }
}

extension IncomingResponse {
    /// Decides at the head of a response what becomes of it: the value of another serializer, a file, or nothing.
    /// AFNetworking's `setDataTaskDidReceiveResponseBlock:`, for calls as well as for tasks.
    ///
    /// ```swift
    /// let task = try client.dataTask(
    ///     .get, "report",
    ///     as: IncomingResponse.DecidingSerializer(.json(Report.self)) { response in
    ///         response.contentType?.matches("application/json") == true ? .allow : .download(to: .folder("/var/reports"))
    ///     })
    /// switch try await task.value {
    /// case .value(let report): show(report)
    /// case .file(let file): print("kept at \(file.path)")
    /// }
    /// ```
    ///
    /// ``IncomingResponse/Disposition/cancel`` ends the call with ``SockeyeError/Code-swift.struct/cancelled``.
    public struct DecidingSerializer<Base: ResponseSerializer>: ResponseSerializer {
        private let base: Base
        private let decide: @Sendable (IncomingResponse) async throws -> IncomingResponse.Disposition

        /// Makes a serializer.
        ///
        /// - Parameters:
        ///   - base: What makes the value of a response that is allowed, and says which ones are acceptable.
        ///   - decide: Must leave the body alone. What it throws fails the call, with
        ///     ``SockeyeError/Code-swift.struct/decodingFailed`` if it is not a ``SockeyeError``.
        public init(
            _ base: Base, by decide: @escaping @Sendable (IncomingResponse) async throws -> IncomingResponse.Disposition
        ) {
            self.base = base
            self.decide = decide
        }

        /// The Accept field of the other serializer.
        public var accept: String? { base.accept }

        /// Calls the closure, and does as it says.
        public func value(of response: IncomingResponse) async throws -> IncomingResponse.ReceivedContent<Base.Value> {
            switch try await decide(response) {
            case .allow:
                return .value(try await base.value(of: response))
            case .cancel:
                response.discard()
                throw SockeyeError(
                    .init(.cancelled, phase: .head, blame: .caller, message: "the response was not wanted")
                ).about(response.request)
            case .download(let destination, let checksums):
                response.tellOfDownload(to: destination)
                return .file(try await response.download(to: destination, checksums: checksums))
            }
        }
    }

    /// What is to become of a response whose head is there. The counterpart of `NSURLSessionResponseDisposition`.
    @nonexhaustive public enum Disposition: Sendable {
        /// Its content becomes the value that was asked for.
        case allow
        /// Its content is not wanted; the call ends with ``SockeyeError/Code-swift.struct/cancelled``.
        case cancel
        /// Its content becomes a file, as of
        /// ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``.
        case download(to: DownloadDestination, checksums: [Checksum] = [])
    }

    /// The content of a response whose ``Disposition`` was decided on at its head.
    ///
    /// Never gains a case: content is kept either in memory or in a file.
    public enum ReceivedContent<Value> {
        /// The value that was asked for.
        case value(Value)
        /// A file.
        case file(DownloadedFile)
    }
}

extension IncomingResponse.ReceivedContent: Sendable where Value: Sendable {}
