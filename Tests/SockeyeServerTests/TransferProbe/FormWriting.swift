import Glibc
import Sockeye

/// A form that is written to a file by a process that may be killed at any time. It says when it has come where it stalls,
/// when there is no more content to come, and when the file is complete.
struct FormWriting {
    let path: String
    let size: Int
    /// After so many bytes nothing more comes; from `size` on it does not stall.
    let stall: Int

    func run() async throws {
        var form = try MultipartForm(boundary: "killed")
        form.stream("stream", Stalling(size: size, stall: stall), length: size)
        let count = try await form.body().write(toFile: path)
        Self.say("complete: \(count)")
    }

    /// Behind a pipe lines would wait for each other.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private struct Stalling: AsyncSequence, Sendable {
        typealias Element = Bytes
        typealias Failure = any Error

        let size: Int
        let stall: Int

        func makeAsyncIterator() -> Iterator {
            Iterator(zeros: Zeros(count: Swift.min(size, stall)).makeAsyncIterator(), stalls: stall < size)
        }

        struct Iterator: AsyncIteratorProtocol {
            var zeros: Zeros.Iterator
            let stalls: Bool

            mutating func next() async throws -> Bytes? {
                if let piece = await zeros.next() { return piece }
                FormWriting.say(stalls ? "stalled" : "ended")
                // Longer than anybody waits to kill it, and not for ever where nobody does.
                if stalls { try await Task.sleep(for: .seconds(120)) }
                return nil
            }
        }
    }
}
