import Foundation
import SockeyeCore
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("A file as a body", .timeLimit(.minutes(1)))
struct FileBodyTests {
    @Test("is read in large pieces, however small the first one had to be")
    func pieces() throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: 1 << 20))
        var reader = try FileReader(path: file.path)
        #expect(try reader.next(atMost: 1)?.count == 1)
        #expect(try reader.next(atMost: 100_000)?.count == 100_000)
        #expect(try reader.next()?.count == 256 << 10)
    }

    @Test("is not another file whose name a NUL cuts off", arguments: [false, true])
    func nul(isForm: Bool) throws {
        let file = try ScratchFile("secret", "text".utf8)
        let error = #expect(throws: SockeyeError.self) {
            var form = MultipartForm()
            if isForm {
                try form.file("f", at: file.path + "\0.png")
            } else {
                _ = try OutgoingRequest.Body.file(file.path + "\0.png")
            }
        }
        #expect(error?.code == .bodyFailed)
    }

    /// Puts another file in the place of one, as most programs save.
    private func replace(_ file: ScratchFile, by count: Int) throws {
        let other = file.url.appendingPathExtension("new")
        try Data(repeating: 2, count: count).write(to: other)
        unsafe #expect(rename(other.path, file.path) == 0)
        #expect(file.siblings.count == 1)
    }

    @Test(
        "that was replaced by another of another length fails, and sends no part of that",
        arguments: [1000, 100_000], [-1, 1])
    func replaced(count: Int, difference: Int) async throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: count))
        let body = try OutgoingRequest.Body.file(file.path)
        try replace(file, by: count + difference)
        let sink = CollectingSink()
        let error = await #expect(throws: SockeyeError.self) { try await body.produce(into: sink) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.limit?.configured == "\(count) bytes")
        #expect(error?.limit?.seen == "\(count + difference) bytes")
        #expect(await sink.bytes.isEmpty)
        try await withTestServer { request in
            // An answer before the content would be one, whatever becomes of that.
            _ = try await request.body.collect()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().put(server.url(), .body(body))
            }
            #expect(error?.code == .bodyLengthMismatch)
            _ = server.takeFailures()
        }
    }

    @Test("that was replaced by another of the same length, or has grown, sends as much as announced")
    func sameLength() async throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: 1000))
        let body = try OutgoingRequest.Body.file(file.path)
        try replace(file, by: 1000)
        #expect(try await CollectingSink.collect(body).bytes == [UInt8](repeating: 2, count: 1000))
        let log = try ScratchFile("g", [UInt8](repeating: 3, count: 1000))
        let beginning = try OutgoingRequest.Body.file(log.path)
        try log.resize(to: 5000)
        #expect(try await CollectingSink.collect(beginning).bytes == [UInt8](repeating: 3, count: 1000))
    }

    @Test("whose length is announced by hand still has to have it when trailers make it chunked", arguments: [2, 4])
    func trailers(declared: Int) async throws {
        let body = OutgoingRequest.Body.stream(Elements([[1, 2, 3] as [UInt8]]), length: declared).trailers { [:] }
        let error = await #expect(throws: SockeyeError.self) { _ = try await CollectingSink.collect(body) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.limit?.configured == "\(declared) bytes")
    }

    @Test("pieces of absurd length are too long, and no crash", arguments: [false, true])
    func absurd(isForm: Bool) async throws {
        try await withTestServer { request in
            _ = try await request.body.collect()
            return .ok()
        } run: { server in
            let pieces = Elements([repeatElement(7 as UInt8, count: 3), repeatElement(7, count: .max)])
            var body = OutgoingRequest.Body.stream(pieces, length: 10)
            if isForm {
                var form = MultipartForm()
                form.part("p", body)
                body = try form.body()
            }
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().put(server.url(), .body(body))
            }
            #expect(error?.code == .bodyLengthMismatch)
            #expect(error?.limit?.seen == "more")
            _ = server.takeFailures()
        }
    }

    @Test("without a contiguous memory pieces arrive as they are")
    func exotic() async throws {
        let pieces = Elements([Array(0..<200_000).map { UInt8(truncatingIfNeeded: $0) }.reversed()])
        try await withTestServer { request in
            let content = try await request.body.collect()
            return .ok("\(content.count) \(content.first ?? 0) \(content.last ?? 0)")
        } run: { server in
            for length in [nil, 200_000] {
                let response = try await HTTPClient().put(server.url(), .stream(pieces, length: length))
                #expect(try await response.text() == "200000 \(199_999 & 255) 0")
            }
        }
    }
}
