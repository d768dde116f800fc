package import SockeyeCore
public import SockeyeHTTP

extension OutgoingRequest {
    /// The content of a request.
    ///
    /// A body with a ``length`` is sent with Content-Length; a body without one is sent chunked. A replayable body
    /// (``isReplayable``) can be sent again when a reused connection turns out to be closed, or when a policy repeats
    /// the request. A body that is not replayable can be read only once: another request with the same body fails with
    /// ``SockeyeError/Code-swift.struct/bodyConsumed``, before anything is sent.
    ///
    /// A stream or a file is read only while the request is sent, and only a limited number of bytes ahead of the
    /// connection; see ``stream(_:length:isReplayable:)``.
    public struct Body: Sendable {
        package typealias Producer = @concurrent @Sendable (any BodySink) async throws -> Void

        package enum Source: Sendable {
            case none
            case bytes(Bytes)
            case producer(Producer)
        }

        package var source: Source
        /// The number of bytes, if it is known before the body is sent.
        public private(set) var length: Int?
        /// True if the body can be produced more than once.
        public var isReplayable: Bool { oneShotClaim == nil }
        /// True if the body can be sent now: it is replayable, or nothing of it was read yet.
        package var canBeSent: Bool { oneShotClaim?.isUnread ?? true }
        private var rare: Rare?

        /// A class, because most bodies have none of these values, and because each copy of a request would otherwise
        /// retain each value separately.
        private final class Rare: Sendable {
            let values: RareValues

            init(_ values: RareValues) { self.values = values }
        }

        private struct RareValues: Sendable {
            var oneShotClaim: OneShotClaim?
            var trailers: (@Sendable () async throws -> Headers)?
            var outline: BodyOutline?
        }

        /// The right to read content that can be read only once; nil for a replayable body.
        package var oneShotClaim: OneShotClaim? { rare?.values.oneShotClaim }

        /// Makes the trailer fields after the content was sent; nil for a body without trailers.
        package private(set) var trailers: (@Sendable () async throws -> Headers)? {
            get { rare?.values.trailers }
            set { change { $0.trailers = newValue } }
        }

        /// The parts that the body consists of, if they are known without reading it.
        package private(set) var outline: BodyOutline? {
            get { rare?.values.outline }
            set { change { $0.outline = newValue } }
        }

        init(_ source: Source, length: Int?, _ oneShotClaim: OneShotClaim? = nil) {
            self.source = source
            self.length = length
            if let oneShotClaim { rare = Rare(RareValues(oneShotClaim: oneShotClaim)) }
        }

        private mutating func change(_ body: (inout RareValues) -> Void) {
            var values = rare?.values ?? RareValues()
            body(&values)
            rare = Rare(values)
        }

        /// No content.
        public static let none = OutgoingRequest.Body(.none, length: 0)

        /// Bytes in memory, from any sequence of them (`[UInt8]`, `Data`, ``Bytes``, …). Replayable.
        public static func bytes(_ bytes: some Sequence<UInt8>) -> OutgoingRequest.Body {
            let copy = (bytes as? Bytes) ?? Bytes(bytes)
            return OutgoingRequest.Body(.bytes(copy), length: copy.count)
        }

        /// The UTF-8 bytes of a string. Replayable.
        public static func string(_ string: some StringProtocol) -> OutgoingRequest.Body {
            .bytes(Bytes(string))
        }

        /// Any asynchronous sequence of byte collections, read while it is sent.
        ///
        /// No element waits for a later one. The first eight elements are sent one by one; afterwards, elements that
        /// are already available are sent together. While elements are being sent, further ones are read ahead, until
        /// 24 elements or at least 512 KiB are waiting.
        ///
        /// - Parameters:
        ///   - sequence: The content. Empty elements are skipped. If the sequence throws a ``SockeyeError``, the
        ///     request fails with this error. Any other error of the sequence fails the request with
        ///     ``SockeyeError/Code-swift.struct/bodyFailed``.
        ///   - length: The number of bytes. If given, the body is sent with Content-Length, and a sequence that yields
        ///     fewer or more bytes fails the request with ``SockeyeError/Code-swift.struct/bodyLengthMismatch``.
        ///     Default nil: the body is sent chunked.
        ///   - isReplayable: True if the sequence can be iterated again from the start. Default false.
        public static func stream<Chunks: AsyncSequence & Sendable>(
            _ sequence: Chunks, length: Int? = nil, isReplayable: Bool = false
        ) -> OutgoingRequest.Body where Chunks.Element: Collection<UInt8> & Sendable {
            let use = isReplayable ? nil : OneShotClaim()
            let producer: Producer = { sink in
                try use?.begin()
                try await ReadyChunks.send(sequence, to: sink)
            }
            return OutgoingRequest.Body(.producer(producer), length: length, use)
        }

        /// A sequence that is created for each attempt; replayable. The counterpart of `needNewBodyStream` of
        /// URLSession's delegate.
        public static func stream<Chunks: AsyncSequence & Sendable>(
            length: Int? = nil, makingEach make: @escaping @Sendable () async throws -> Chunks
        ) -> OutgoingRequest.Body where Chunks.Element: Collection<UInt8> & Sendable {
            let producer: Producer = { sink in
                try await ReadyChunks.send(make(), to: sink)
            }
            return OutgoingRequest.Body(.producer(producer), length: length)
        }

        /// The content of a file, which is opened for each attempt. Replayable.
        ///
        /// The length is the size of the file when this function is called. If the file grows later, only that many
        /// bytes are sent. A file that has become shorter, or was replaced by a file of another length, fails the
        /// request with ``SockeyeError/Code-swift.struct/bodyLengthMismatch``. A file whose size the system does not
        /// know, such as a file in `/proc`, is sent chunked.
        ///
        /// Files of more than 64 KiB are sent from the system's cache with `sendfile`, without passing through the
        /// memory of this process. If this process and not the kernel encrypts for TLS, or if `sendfile` does not
        /// support the file, the bytes are read in pieces of 256 KiB. Data that is not in the system's cache is read by
        /// disk threads, so that a slow disk delays only this request.
        ///
        /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` if the file cannot be read or is not a regular file.
        ///   ``SockeyeError/Code-swift.struct/outOfResources`` if no descriptors or memory are left to open it.
        public static func file(_ path: String) throws(SockeyeError) -> OutgoingRequest.Body {
            try file(path, calls: .system)
        }

        /// As ``file(_:)``, with the caller's file system calls.
        package static func file(_ path: String, calls: FileCalls) throws(SockeyeError) -> OutgoingRequest.Body {
            let examined = try BodyFile(path, calls: calls)
            let producer: Producer = { sink in
                var file = try await examined.opened()
                if let length = examined.length { return try await sink.write(length, of: &file) }
                while let piece = try await file.read() { try await sink.write(piece) }
            }
            var body = OutgoingRequest.Body(.producer(producer), length: examined.length)
            let isShort = examined.length.map { $0 <= longestRead } ?? false
            body.outline = BodyOutline([.file(path, length: examined.length)], shortFile: isShort ? examined : nil)
            return body
        }

        /// The largest size for which reading the whole file at once costs less than sending it by the producer.
        private static let longestRead = 64 * 1024

        /// The same body followed by trailer fields, which `make` returns after the body has been sent. The body is
        /// sent chunked, because only chunked bodies have trailers (RFC 9112 7.1.2). A declared length is still
        /// enforced.
        ///
        /// Names that are not allowed in trailers fail the request (RFC 9110 6.5.1).
        public func trailers(_ make: @escaping @Sendable () async throws -> Headers) -> OutgoingRequest.Body {
            var body = self
            body.trailers = make
            body.length = nil
            let content = self
            body.source = .producer { sink in try await content.produceExactly(into: sink, as: "the body") }
            body.outline = producedOutline
            return body
        }

        /// The outline of the same content in a body that wraps this one.
        package var producedOutline: BodyOutline? {
            if case .bytes(let bytes) = source { BodyOutline([.bytes(bytes)]) } else { outline?.withoutShortFile }
        }

        /// Returns the present content of a short file; nil for every other body. Also nil if the file's content is not
        /// in the system's cache. Such a file is read during the upload, so that the deadlines of the request limit the
        /// reading.
        package func readShortFile() throws(SockeyeError) -> Bytes? {
            guard let shortFile = outline?.shortFile, let length else { return nil }
            var file = try shortFile.open()
            return try file.cachedBytes(length)
        }

        /// Returns a body of the same bytes with a wrapped producer. Bodies in memory have no producer and stay as they
        /// are. So do short files, which are usually sent with the head and without their producer.
        package func wrappingProducer(_ wrap: (@escaping Producer) -> Producer) -> OutgoingRequest.Body {
            guard case .producer(let producer) = source, outline?.shortFile == nil else { return self }
            var body = self
            body.source = .producer(wrap(producer))
            return body
        }

        /// Returns the same body with another producer, which yields an unknown number of bytes.
        package func replacingProducer(_ producer: @escaping Producer) -> OutgoingRequest.Body {
            var body = OutgoingRequest.Body(.producer(producer), length: nil, oneShotClaim)
            if let trailers { body.trailers = trailers }
            return body
        }

        /// A body from a producer, which writes exactly `length` bytes unless `length` is nil.
        ///
        /// - Parameters:
        ///   - oneShotClaim: The right to read the streams that can be read only once; nil if the body has no such
        ///     streams.
        ///   - outline: The parts that the body consists of; nil if unknown.
        package static func produced(
            length: Int?, _ oneShotClaim: OneShotClaim?, outline: BodyOutline? = nil, by producer: @escaping Producer
        ) -> OutgoingRequest.Body {
            var body = OutgoingRequest.Body(.producer(producer), length: length, oneShotClaim)
            if let outline { body.outline = outline }
            return body
        }

        /// Returns the same body, written through the sink that `make` wraps around the actual sink.
        package func passing(through make: @escaping @Sendable (any BodySink) -> any BodySink) -> OutgoingRequest.Body {
            guard length != 0 else { return self }
            let content = self
            var body = self
            body.source = .producer { sink in try await content.produce(into: make(sink)) }
            body.outline = producedOutline
            return body
        }

        /// Writes the content, but no trailers.
        package func produce(into sink: any BodySink) async throws {
            switch source {
            case .none: break
            case .bytes(let bytes): try await sink.write(bytes)
            case .producer(let producer): try await producer(sink)
            }
        }

        /// The content if it is in memory, empty if there is no content; nil for files and streams.
        package var bytesInMemory: Bytes? {
            switch source {
            case .none: Bytes()
            case .bytes(let bytes): bytes
            case .producer: nil
            }
        }

        /// True if the content comes from a producer, not from memory.
        package var isProduced: Bool {
            if case .producer = source { true } else { false }
        }

        /// Returns a body in memory without its first bytes, which were already sent. Other bodies stay as they are.
        package func skipping(_ count: Int) -> OutgoingRequest.Body {
            guard count > 0, case .bytes(let bytes) = source else { return self }
            var rest = self
            rest.source = .bytes(bytes.slice(count..<bytes.count))
            return rest
        }
    }
}

extension OutgoingRequest.Body: ExpressibleByStringLiteral {
    /// Creates a body from the UTF-8 bytes of the literal.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}
