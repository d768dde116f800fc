public import SockeyeCore
public import SockeyeEngine

extension SigningInterceptor {
    /// The content of a request, for whoever signs it.
    public struct Content: Sendable {
        private let body: OutgoingRequest.Body

        init(_ body: OutgoingRequest.Body) {
            self.body = body
        }

        /// The content, where it is in memory, and empty without any. Nil for files and streams; see ``reduce(into:_:)``.
        public var bytes: Bytes? {
            switch body.source {
            case .none: Bytes()
            case .bytes(let bytes): bytes
            case .producer: nil
            }
        }

        /// Whether ``reduce(into:_:)`` works: the content is in memory, in a file, or in a stream that can be asked for again.
        public var isReadable: Bool { body.isReplayable }

        /// Reads the content from start to end, piece by piece, as for a digest. Files are read once more than for sending.
        ///
        /// - Parameters:
        ///   - initial: What to begin with, such as an empty digest.
        ///   - update: Adds a piece.
        /// - Returns: What has become of `initial`.
        /// - Throws: ``SockeyeError/Code-swift.struct/invalidRequest`` for a stream that can be sent only once, and
        ///   ``SockeyeError/Code-swift.struct/bodyFailed`` when the content cannot be read.
        public func reduce<Result: Sendable>(
            into initial: Result, _ update: @escaping @Sendable (inout Result, Bytes) -> Void
        ) async throws(SockeyeError) -> Result {
            guard body.isReplayable else {
                throw SockeyeError(
                    .init(
                        .invalidRequest, phase: .prepare, blame: .caller,
                        message: "the content can be sent once only, so it cannot be read for signing"))
            }
            let sink = ReducingSink(initial, update)
            switch body.source {
            case .none: break
            case .bytes(let bytes): sink.add(bytes)
            case .producer(let produce):
                do {
                    try await produce(sink)
                } catch let error as SockeyeError {
                    throw error
                } catch {
                    var fields = SockeyeError.Fields(
                        error is CancellationError ? .cancelled : .bodyFailed, phase: .prepare, blame: .caller,
                        message: "the content could not be read for signing")
                    fields.underlying = error
                    throw SockeyeError(fields)
                }
            }
            return sink.result
        }
    }
}
