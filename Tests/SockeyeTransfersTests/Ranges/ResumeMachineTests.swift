import SockeyeHTTP
import Testing

@testable import SockeyeTransfers

/// The requests of a download and the use of their responses (RFC 9110 13.1.5, 14 and 15.3.7).
@Suite struct ResumeMachineTests {
    private static let tag = StrongValidator(fieldValue: "\"v1\"")

    /// A machine that has received 40 of 100 bytes of version 1, and lost the connection.
    private func interrupted(total: Int? = 100) throws -> ResumeMachine {
        var machine = ResumeMachine(.init())
        var first = PartialResponse(status: 200)
        first.eTags = ["\"v1\""]
        first.length = total
        #expect(machine.nextRequest == .whole)
        #expect(machine.receive(first) == .startOver)
        #expect(machine.take(40) == true)
        #expect(machine.interrupted() == true)
        return machine
    }

    private func part(_ range: String, eTag: String? = "\"v1\"", length: Int? = nil) -> PartialResponse {
        var answer = PartialResponse(status: 206)
        answer.contentRange = [range]
        answer.eTags = eTag.map { [$0] } ?? []
        answer.length = length
        return answer
    }

    @Test("the machine requests the rest of the same version, appends it, and is done")
    func resumes() throws {
        var machine = try interrupted()
        #expect(machine.nextRequest == .rest(from: 40, of: try #require(Self.tag)))
        #expect(machine.receive(part("bytes 40-99/100", length: 60)) == .append)
        #expect(machine.take(60) && machine.finishBody())
        #expect(machine.nextRequest == .nothing)
    }

    @Test("a 200 to a request for the rest starts over with its own content")
    func startsOver() throws {
        var machine = try interrupted()
        var answer = PartialResponse(status: 200)
        answer.eTags = ["\"v2\""]
        answer.length = 10
        #expect(machine.receive(answer) == .startOver)
        #expect(machine.written == 0 && machine.entity == .init(validator: .init(fieldValue: "\"v2\""), total: 10))
        #expect(machine.take(10) && machine.finishBody() && machine.nextRequest == .nothing)
    }

    private func whole(
        _ eTag: String?, length: Int?, range: String? = nil, status: Int = 200, modified: String? = nil
    ) -> PartialResponse {
        var answer = PartialResponse(status: status)
        answer.eTags = eTag.map { [$0] } ?? []
        answer.length = length
        answer.contentRange = range.map { [$0] } ?? []
        answer.lastModified = modified.map { [$0] } ?? []
        return answer
    }

    @Test("a 200 with Content-Range is appended only if its version, length and range continue the received bytes")
    func mislabeledPart() throws {
        var machine = try interrupted()
        #expect(machine.receive(whole("\"v1\"", length: 60, range: "bytes 40-99/100")) == .append)
        #expect(machine.take(60) && machine.finishBody() && machine.nextRequest == .nothing)
        for (eTag, length, range) in [
            (nil, 60, "bytes 40-99/100"), ("\"v1\"", nil, "bytes 40-99/100"), ("W/\"v1\"", 60, "bytes 40-99/100"),
            ("\"v2\"", 60, "bytes 40-99/100"), ("\"v1\"", 59, "bytes 40-99/100"), ("\"v1\"", 60, "bytes 41-99/100"),
            ("\"v1\"", 60, "bytes 40-99/*"), ("\"v1\"", 60, "bytes 40-99/101"), ("\"v1\"", 40, "bytes 0-39/100"),
        ] as [(String?, Int?, String)] {
            var machine = try interrupted()
            #expect(
                machine.receive(whole(eTag, length: length, range: range)) == .requestWhole,
                "\(eTag ?? "-") \(length ?? 0) \(range)")
        }
    }

    @Test("a 200 without Content-Range starts over only if its length is known and is not that of the rest")
    func insteadOfRest() throws {
        for (eTag, length, decision) in [
            ("\"v1\"", 100, ResumeMachine.Decision.startOver), ("\"v1\"", 60, .requestWhole),
            ("\"v1\"", nil, .requestWhole),
            ("\"v2\"", 50, .startOver), ("\"v2\"", 60, .requestWhole), ("\"v2\"", nil, .requestWhole),
            (nil, 100, .startOver), (nil, 60, .requestWhole),
            (nil, nil, .requestWhole), ("W/\"v1\"", 60, .requestWhole), ("v1", 60, .requestWhole),
        ] as [(String?, Int?, ResumeMachine.Decision)] {
            for status in [200, 203] {
                var machine = try interrupted()
                let answer = whole(eTag, length: length, status: status)
                #expect(machine.receive(answer) == decision, "\(eTag ?? "-") \(length ?? -1)")
            }
        }
        for range in ["bytes 0-99/200", "bytes 50-149/*"] {
            var machine = try interrupted()
            #expect(machine.receive(whole("\"v1\"", length: 100, range: range, status: 203)) == .requestWhole)
        }
        var coded = whole("\"v2\"", length: 50)
        coded.isCoded = true
        var machine = try interrupted()
        #expect(machine.receive(coded) == .requestWhole)
    }

    @Test(
        "a 2xx that does not carry the representation is refused, and the received bytes are kept",
        arguments: [201, 202, 204, 205, 207])
    func otherSuccess(status: Int) throws {
        var machine = try interrupted()
        #expect(machine.receive(whole("\"v1\"", length: 100, status: status)) == .refuse(.status))
        #expect(machine.isResumable && machine.written == 40)
        #expect(machine.receive(part("bytes 39-99/100", length: 61)) == .requestWhole)
        #expect(machine.receive(whole("\"v1\"", length: 100, status: status)) == .refuse(.status))
    }

    @Test("the whole content of the known version must have the known length, even if no length is announced")
    func contradiction() throws {
        var machine = try interrupted()
        #expect(machine.receive(whole(nil, length: 60)) == .requestWhole)
        #expect(machine.receive(whole("\"v1\"", length: 60)) == .refuse(.contradiction))
        #expect(machine.receive(whole("\"v1\"", length: nil)) == .startOver)
        #expect(machine.take(60) && !machine.finishBody())
        #expect(machine.nextRequest == .whole && !machine.isResumable)
        #expect(machine.receive(whole("\"v1\"", length: nil)) == .startOver)
        #expect(machine.take(100) && machine.finishBody())
        // The length of another version is not known.
        #expect(machine.receive(whole("\"v2\"", length: 60)) == .startOver)
        #expect(machine.take(60) && machine.finishBody())
    }

    @Test(
        "a first response is refused if its Content-Range and length describe a part",
        arguments: [
            ("bytes 40-99/100", 60, true), ("bytes 0-39/100", 40, true), ("bytes 40-99/*", 60, true),
            ("bytes 40-99/100", nil, true), ("bytes 0-99/100", 100, false), ("bytes 0-39/100", 100, false),
            ("bytes 0-39/*", 40, false), ("nonsense", 60, false), ("bytes */100", 60, false),
        ] as [(String, Int?, Bool)])
    func firstAnswer(range: String, length: Int?, isPart: Bool) {
        var machine = ResumeMachine(.init())
        let decision = machine.receive(whole("\"v1\"", length: length, range: range))
        #expect(decision == (isPart ? .refuse(.unaskedPart) : .startOver))
    }

    @Test(
        "a 206 with another range, version or length is not appended, and no further part is requested",
        arguments: [
            ("bytes 39-99/100", "\"v1\"", 61), ("bytes 41-99/100", "\"v1\"", 59), ("bytes 0-99/100", "\"v1\"", 100),
            ("bytes 40-99/101", "\"v1\"", 60), ("bytes 40-99/*", "\"v1\"", 60), ("bytes */100", "\"v1\"", nil),
            ("items 40-99/100", "\"v1\"", 60), ("", "\"v1\"", 60), ("bytes 40-99/100", "\"v2\"", 60),
            ("bytes 40-99/100", "W/\"v1\"", 60), ("bytes 40-99/100", nil, 60), ("bytes 40-99/100", "\"v1\"", 59),
            ("bytes 40-99/100", "\"v1\"", 61),
        ] as [(String, String?, Int?)])
    func distrusts(range: String, eTag: String?, length: Int?) throws {
        var machine = try interrupted()
        #expect(machine.receive(part(range, eTag: eTag, length: length)) == .requestWhole)
        #expect(machine.nextRequest == .whole && !machine.isResumable)
        // Nor does the machine accept a part that it did not request.
        #expect(machine.receive(part("bytes 40-99/100")) == .refuse(.unaskedPart))
    }

    @Test("several parts in one body are not appended, and neither is a coded part")
    func unusableParts() throws {
        for change in [\PartialResponse.hasSeveralParts, \.isCoded] {
            var machine = try interrupted()
            var answer = part("bytes 40-99/100", length: 60)
            answer[keyPath: change] = true
            #expect(machine.receive(answer) == .requestWhole)
        }
    }

    @Test(
        "a 416 with the received length and no other ETag ends the download; after any other the whole is requested",
        arguments: [
            (["bytes */40"], nil, true), (["bytes */40"], "\"v1\"", true), (["bytes */40"], "\"v2\"", false),
            (["bytes */41"], nil, false), ([], nil, false), (["bytes 0-39/40"], nil, false),
        ] as [([String], String?, Bool)])
    func unsatisfied(range: [String], eTag: String?, isEnd: Bool) throws {
        var machine = try interrupted(total: nil)
        var answer = PartialResponse(status: 416)
        answer.contentRange = range
        answer.eTags = eTag.map { [$0] } ?? []
        #expect(machine.receive(answer) == (isEnd ? .complete : .requestWhole))
        #expect((machine.nextRequest == .nothing) == isEnd)
    }

    @Test("a 416 does not end the download if its total contradicts the known length")
    func shrunk() throws {
        var machine = try interrupted(total: 100)
        var answer = PartialResponse(status: 416)
        answer.contentRange = ["bytes */40"]
        #expect(machine.receive(answer) == .requestWhole)
    }

    @Test("after a part that is shorter than requested, the machine requests the rest")
    func shorterParts() throws {
        var machine = try interrupted()
        #expect(machine.receive(part("bytes 40-59/100", length: 20)) == .append)
        #expect(machine.take(20) && !machine.finishBody() && machine.interrupted())
        #expect(machine.nextRequest == .rest(from: 60, of: try #require(Self.tag)))
    }

    @Test("a part with more bytes than its range is rejected")
    func longerPart() throws {
        var machine = try interrupted()
        #expect(machine.receive(part("bytes 40-99/100")) == .append)
        #expect(machine.take(60) && !machine.take(1))
        #expect(!machine.isResumable)
    }

    @Test("if the total length is unknown, a part does not complete the download, and a 416 confirms the end")
    func unknownLength() throws {
        var machine = try interrupted(total: nil)
        #expect(machine.receive(part("bytes 40-59/*", length: 20)) == .append)
        #expect(machine.take(20) && !machine.finishBody())
        var answer = PartialResponse(status: 416)
        answer.contentRange = ["bytes */60"]
        #expect(machine.receive(answer) == .complete)
    }

    @Test("a body without a length is complete if it ends properly")
    func endless() {
        var machine = ResumeMachine(.init())
        #expect(machine.receive(PartialResponse(status: 200)) == .startOver)
        #expect(machine.take(7) && machine.finishBody() && machine.nextRequest == .nothing)
    }

    @Test(
        "after an interruption the whole is requested if there was a coding, no strong validator or no range support",
        arguments: 0..<4)
    func notResumable(number: Int) {
        var machine = ResumeMachine(.init())
        var first = PartialResponse(status: 200)
        first.eTags = [number == 0 ? "W/\"v1\"" : "\"v1\""]
        first.isCoded = number == 1
        if number == 2 { first.rangeSupport = .none }
        if number == 3 { first.eTags = [] }
        #expect(machine.receive(first) == .startOver)
        #expect(machine.take(40) && machine.interrupted())
        #expect(machine.nextRequest == .whole)
    }

    @Test("a part is appended if it repeats or omits the Last-Modified of the version")
    func lastModified() throws {
        let change = "Sun, 06 Nov 1994 08:49:37 GMT"
        for (repeated, decision) in [
            ([change], ResumeMachine.Decision.append), ([], .append),
            (["Sun, 06 Nov 1994 08:49:38 GMT"], .requestWhole),
        ] {
            var machine = ResumeMachine(.init())
            var first = PartialResponse(status: 200)
            (first.lastModified, first.date) = ([change], "Sun, 06 Nov 1994 08:50:37 GMT")
            first.length = 100
            #expect(machine.receive(first) == .startOver && machine.take(40))
            #expect(machine.nextRequest == .rest(from: 40, of: .lastModified(change)))
            var answer = part("bytes 40-99/100", eTag: nil)
            answer.lastModified = repeated
            #expect(machine.receive(answer) == decision)
        }
    }

    @Test(
        "a resumed download waits after a temporary refusal, and any other refusal ends it",
        arguments: [
            (503, ResumeMachine.Decision.retryLater), (429, .retryLater), (500, .retryLater), (408, .retryLater),
            (404, .refuse(.status)), (412, .refuse(.status)), (304, .refuse(.status)), (403, .refuse(.status)),
        ])
    func refusals(status: Int, decision: ResumeMachine.Decision) throws {
        var machine = try interrupted()
        #expect(machine.receive(PartialResponse(status: status)) == decision)
        #expect(machine.isResumable)
        var fresh = ResumeMachine(.init())
        #expect(fresh.receive(PartialResponse(status: status)) == .refuse(.status))
    }

    @Test("consecutive interruptions are counted, and progress beyond the furthest point resets the count")
    func bounded() {
        var machine = ResumeMachine(.init(maximumResumes: 2))
        #expect(machine.receive(PartialResponse(status: 200)) == .startOver)
        #expect(machine.interrupted() && machine.interrupted() && !machine.interrupted())
        #expect(machine.take(64 << 10) == true)
        #expect(machine.resumes == 0 && machine.interrupted())
        // The same bytes again are not progress.
        #expect(machine.receive(PartialResponse(status: 200)) == .startOver)
        #expect(machine.take(64 << 10) && machine.resumes == 1)
    }

    @Test("a POST is not repeated, and a request with the caller's own Range accepts any part")
    func rules() {
        var post = ResumeMachine(.init(mayRepeat: false, mayUseRanges: false))
        #expect(post.receive(PartialResponse(status: 200)) == .startOver)
        #expect(post.interrupted() == false)
        var ranged = ResumeMachine(.init(mayUseRanges: false))
        #expect(ranged.receive(part("bytes 5-9/100", length: 5)) == .startOver)
        #expect(ranged.entity == .init(validator: nil, total: 5))
        #expect(ranged.take(5) && ranged.finishBody())
    }

    @Test("a restored machine continues at the earlier position, or has nothing to request if complete")
    func restored() throws {
        let entity = ResumeMachine.Entity(validator: Self.tag, total: 100)
        #expect(
            ResumeMachine(.init(), entity: entity, written: 40).nextRequest
                == .rest(from: 40, of: try #require(Self.tag)))
        #expect(ResumeMachine(.init(), entity: entity, written: 0).nextRequest == .whole)
        #expect(ResumeMachine(.init(), entity: entity, written: 100).nextRequest == .nothing)
    }

    /// When Swift compares or hashes a string, it sorts the combining marks in quadratic time. It takes minutes here.
    @Test("a Last-Modified of 200,000 combining marks is compared in linear time")
    func combiningMarks() {
        var answer = PartialResponse(status: 206)
        answer.lastModified = ["M" + String(repeating: "\u{301}\u{323}", count: 100_000)]
        #expect(answer.version(comparedTo: .lastModified("Mon, 01 Jan 2024 00:00:00 GMT")) == .other)
    }
}
