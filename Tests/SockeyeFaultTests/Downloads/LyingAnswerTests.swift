import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// A download never succeeds with content that contradicts the facts known about the resource, whatever the answer to
/// the request for the rest says.
@Suite("False answers to requests for the rest", .timeLimit(.minutes(5))) struct LyingAnswerTests {
    /// The seeds; `SOCKEYE_LIE_SEEDS` sets their number, default 12.
    private static let seeds: ClosedRange<UInt64> = {
        let count = ProcessInfo.processInfo.environment["SOCKEYE_LIE_SEEDS"].flatMap { UInt64($0) }
        return 1...max(1, count ?? 12)
    }()

    private static let content = Bytes("0123456789abcdefghij")

    /// Downloads with false answers. Returns the bytes of the file, or nil after an error, which must leave no file.
    private func outcome(
        of answers: [FaultyResource.Answer], _ resource: FaultyResource, parts: Int = 1
    ) async throws -> Bytes? {
        let scene = try DownloadScene(resource)
        let url = try await resource.start(answers)
        do {
            _ = try await scene.run(url) { $0.options.parallelParts = parts }
            await resource.stop()
            #expect(scene.names == ["file.bin"])
            return scene.content
        } catch {
            await resource.stop()
            #expect(scene.content == nil, "\(error)")
            return nil
        }
    }

    /// The first answer: half of the resource, with a strong validator.
    private static func half(by dates: Bool) -> FaultyResource.Answer {
        guard dates else { return .cut(after: 10) }
        let fields = "Last-Modified: \(LyingAnswer.change)\r\nDate: \(LyingAnswer.now)\r\n"
        return .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 20\r\n\r\n", content.slice(0..<10))
    }

    /// The answer to all further requests: the whole of version 1.
    private static func whole(by dates: Bool) -> FaultyResource.Answer {
        let fields = dates ? "Last-Modified: \(LyingAnswer.change)\r\nDate: \(LyingAnswer.now)\r\n" : "ETag: \"v1\"\r\n"
        return .raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\(fields)Content-Length: 20\r\n\r\n", content)
    }

    @Test(
        "a 200 with only the requested bytes still leads to the whole file",
        arguments: [true, false], LyingAnswer.Version.allCases)
    func restAsWhole(dates: Bool, version: LyingAnswer.Version) async throws {
        for range in [(0, 0, 0), (0, 0, nil), nil] as [(Int, Int, Int?)?] {
            for length in LyingAnswer.Length.allCases {
                let lie = LyingAnswer(status: 200, range: range, version: version, length: length)
                let answers = [Self.half(by: dates), lie.answer(by: dates), Self.whole(by: dates)]
                let file = try await outcome(of: answers, FaultyResource(Self.content))
                // One byte less than the rest may be another version, because nothing contradicts it.
                #expect(file == Self.content || lie.isOtherVersion && file?.count == 9, "\(lie)")
            }
        }
    }

    @Test("a false answer leads to an error, the right file or a whole other version", arguments: [true, false], seeds)
    func random(dates: Bool, seed: UInt64) async throws {
        var random = Seeded(state: seed)
        for _ in 0..<20 {
            let lie = LyingAnswer.random(&random)
            let answers = [Self.half(by: dates), lie.answer(by: dates), Self.whole(by: dates)]
            let file = try await outcome(of: answers, FaultyResource(Self.content))
            guard let file, file != Self.content else { continue }
            #expect(lie.isOtherVersion, "\(lie): \(file.count) bytes")
        }
    }

    @Test("repeated false answers never lead to a file of another length under the same version", arguments: seeds)
    func persistent(seed: UInt64) async throws {
        var random = Seeded(state: seed &* 77)
        for _ in 0..<20 {
            var lie = LyingAnswer.random(&random)
            lie.version = .same
            let file = try await outcome(of: [Self.half(by: false), lie.answer()], FaultyResource(Self.content))
            if let file { #expect(file.count == Self.content.count, "\(lie)") }
        }
    }

    @Test("a false answer for one part leads to an error, the right file or a whole other version", arguments: seeds)
    func parts(seed: UInt64) async throws {
        var random = Seeded(state: seed &* 1013)
        let content = FaultyResource.long(2 << 20 | 5)
        for _ in 0..<3 {
            let lie = LyingAnswer.random(&random)
            let resource = FaultyResource(content)
            let file = try await outcome(
                of: [.servingParts, lie.answer(), .servingParts], resource, parts: 2)
            guard let file, file != content else { continue }
            let wrong = zip(file, content).enumerated().first { $1.0 != $1.1 }?.offset
            #expect(lie.isOtherVersion, "\(lie): \(file.count) bytes, the first wrong one at \(wrong ?? -1)")
        }
    }
}
