import Glibc
import Sockeye

/// A form that is written to a file by a process that may be killed at any time. It prints a line when it stalls, when
/// the content has ended, and when the file is complete.
struct FormWriting {
    let path: String
    let size: Int
    /// The number of bytes after which the content stalls; from `size` on it does not stall.
    let stall: Int

    func run() async throws {
        var form = try MultipartForm(boundary: "killed")
        form.stream("stream", Stalling(size: size, stall: stall), length: size)
        let count = try await form.body().write(toFile: path)
        Self.say("complete: \(count)")
    }

    /// Flushes, because output to a pipe is buffered.
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
                // Longer than the test needs to kill the process, but limited in case the test does not kill it.
                if stalls { try await Task.sleep(for: .seconds(120)) }
                return nil
            }
        }
    }
}
