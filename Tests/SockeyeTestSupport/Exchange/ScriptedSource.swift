package import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP

/// A body source of given pieces. After the last piece it throws `error`, unless that is nil.
package actor ScriptedSource: BodySource {
    package nonisolated let trailers: Headers? = nil
    private var pieces: [Bytes]
    private let error: SockeyeError?

    package init(_ pieces: [Bytes], then error: SockeyeError? = nil) {
        self.pieces = pieces.reversed()
        self.error = error
    }

    package func next() async throws(SockeyeError) -> Bytes? {
        if let piece = pieces.popLast() { return piece }
        if let error { throw error }
        return nil
    }
}
