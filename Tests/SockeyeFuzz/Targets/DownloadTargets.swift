import Sockeye
import SockeyeCore
import SockeyeEssentials
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Synchronization

/// Downloads over sockets from a server whose answers to range requests come from the input.
///
/// The server answers requests for the whole content correctly. The file must therefore be that content, or the content
/// of a successful answer that names another version. A client cannot notice wrong bytes in an answer that names the
/// requested version and position, so these bytes are not compared.
enum DownloadTargets {
    static let downloads: FuzzTarget = { bytes in
        FuzzRun.value { await Scene(bytes).run() }
    }

    /// A download with options and answers from the input.
    private struct Scene {
        private static let small = pattern(1000)
        private static let large = pattern(2 << 20 | 5)
        private static let deadline = Duration.seconds(2)

        private let content: Bytes
        private let cut: Int
        private let parts: Int
        /// True if another task resumes the download after an interruption.
        private let isHandedOn: Bool
        private let answers: [Bytes]

        init(_ bytes: [UInt8]) {
            var input = FuzzInput(bytes)
            let isLarge = input.choice(below: 16) == 1
            content = isLarge ? Self.large : Self.small
            parts = isLarge ? 2 : 1
            cut = isLarge ? content.count : content.count * input.choice(below: 9) / 8
            isHandedOn = input.flag()
            answers = Self.answers(in: input.bytes, content, cut)
        }

        private static func pattern(_ count: Int) -> Bytes {
            unsafe Bytes(count: count) { buffer in
                for index in buffer.indices {
                    unsafe buffer[index] = UInt8(truncatingIfNeeded: index &* 31 ^ index >> 8)
                }
            }
        }

        /// Returns the server's answers, which `~` separates in the input. `@` stands for the rest of the content, and
        /// `$` for all of it.
        private static func answers(in bytes: [UInt8], _ content: Bytes, _ cut: Int) -> [Bytes] {
            bytes.split(separator: UInt8(ascii: "~"), maxSplits: 3, omittingEmptySubsequences: true).map { piece in
                var answer: [UInt8] = []
                for byte in piece {
                    switch byte {
                    case UInt8(ascii: "@"): answer += Array(content.slice(min(cut, content.count - 1)..<content.count))
                    case UInt8(ascii: "$"): answer += Array(content)
                    default: answer.append(byte)
                    }
                }
                return Bytes(answer)
            }
        }

        func run() async {
            let start = ContinuousClock.now
            let path = Server.shared.path
            Server.shared.serve(content, cut: cut, answers)
            let client = HTTPClient()
            var options = OutgoingRequest.Options.timeout(total: Self.deadline).parallel(parts)
            options.maximumResumes = isHandedOn ? 0 : 3
            do throws(SockeyeError) {
                let url = await Server.shared.url()
                let task = try client.download(url, to: .file(path), options: options)
                let file = try await outcome(of: task) { (data) throws(SockeyeError) in
                    options.maximumResumes = 3
                    return try client.download(resuming: data, to: .file(path), options: options)
                }
                check(file)
            } catch {
                await error.resumeData?.discard()
            }
            let spent = ContinuousClock.now - start
            require(spent < Self.deadline * (isHandedOn ? 2 : 1) + FuzzRun.slack, "a download that took \(spent)")
            await client.shutDown(graceful: false)
            try? FileManager.default.removeItem(atPath: path)
        }

        private func outcome(
            of task: DownloadTask, resuming next: (ResumeData) throws(SockeyeError) -> DownloadTask
        ) async throws(SockeyeError) -> DownloadedFile {
            do throws(SockeyeError) {
                return try await task.value
            } catch {
                guard let data = error.resumeData, isHandedOn else { throw error }
                return try await next(data).value
            }
        }

        private func check(_ file: DownloadedFile) {
            let found = FileManager.default.contents(atPath: file.path).map { Bytes($0) }
            let known = Server.shared.firstUnknown
            if let found, found.count == content.count, found.slice(0..<known) == content.slice(0..<known) { return }
            let response = file.response
            let isOther = response?.headers[.eTag] != "\"v1\"" && [200, 203].contains(response?.statusCode)
            require(
                isOther && response?.headers[values: .contentRange].isEmpty == true,
                "\(found?.count ?? -1) wrong bytes: \(response.map { "\($0.headers)" } ?? "no response")")
        }
    }

    /// One server for all inputs, which run one after the other.
    private final class Server: Sendable {
        static let shared = Server()

        private struct State {
            var content = Bytes()
            var cut = 0
            var answers: ArraySlice<Bytes> = []
            var isFirst = true
            /// The first position from which the server has sent bytes that differ from the content, in an answer that
            /// claims to have the requested bytes.
            var firstUnknown: Int

            init(content: Bytes = Bytes(), cut: Int = 0, answers: ArraySlice<Bytes> = []) {
                self.content = content
                self.cut = cut
                self.answers = answers
                firstUnknown = content.count
            }

            /// Returns the next answer of the input to a request for a range.
            mutating func nextAnswer(to request: TestRequest) -> Bytes? {
                guard let range = request[.range], let answer = answers.popFirst() else { return nil }
                if let start = Int(range.drop { !$0.isNumber }.prefix { $0.isNumber }), start < content.count,
                    Self.isOther(answer, than: content.slice(start..<content.count), at: start)
                {
                    firstUnknown = min(firstUnknown, start)
                }
                return answer
            }

            /// True if the head may have a Content-Range with this first position, and the body is not `rest`.
            private static func isOther(_ answer: Bytes, than rest: Bytes, at start: Int) -> Bool {
                let answer = Array(answer)
                let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
                let head = answer[..<(end?.lowerBound ?? answer.endIndex)].map { (65...90).contains($0) ? $0 | 32 : $0 }
                let namesStart = head.ranges(of: Array("bytes".utf8)).contains { unit in
                    let number = head[unit.upperBound...].drop { $0 == 32 || $0 == 9 }.prefix { (48...57).contains($0) }
                    return Int(String(decoding: number, as: UTF8.self)) == start
                }
                return namesStart && end.map { Bytes(Array(answer[$0.upperBound...])) != rest } ?? true
            }
        }

        private let state = Mutex(State())
        private let started = Mutex<TestServer?>(nil)
        let path = FileManager.default.temporaryDirectory.appending(path: "sockeye-fuzz-\(UUID().uuidString)").path

        func url() async -> String {
            if let server = started.withLock({ $0 }) { return server.url("/file") }
            do {
                let server = try await TestServer.start { request, responder in
                    try await Self.shared.answer(request, responder)
                }
                started.withLock { $0 = server }
                return server.url("/file")
            } catch {
                fatalError("no server: \(error)")
            }
        }

        var firstUnknown: Int { state.withLock { $0.firstUnknown } }

        func serve(_ content: Bytes, cut: Int, _ answers: [Bytes]) {
            state.withLock { $0 = State(content: content, cut: cut, answers: answers[...]) }
        }

        private func answer(_ request: TestRequest, _ responder: TestResponder) async throws {
            let (content, cut, isFirst, lie) = state.withLock { state in
                defer { state.isFirst = false }
                return (state.content, state.cut, state.isFirst, state.nextAnswer(to: request))
            }
            if let lie {
                try await responder.sendRaw(lie)
                return responder.close()
            }
            guard isFirst, cut < content.count else {
                return try await responder.send(.resource(content, for: request, eTag: "\"v1\""))
            }
            try await responder.sendHead(headers: [.eTag: "\"v1\"", .acceptRanges: "bytes"], length: content.count)
            try await responder.write(content.slice(0..<cut))
            responder.close()
        }
    }
}
