import SockeyeHTTP
import SockeyeTransfers
import Testing

@Suite("Parts of a download")
struct PartPlanTests {
    private func answer(_ change: (inout PartialResponse) -> Void = { _ in }) -> PartialResponse {
        var answer = PartialResponse(status: 200)
        answer.eTags = ["\"v1\""]
        answer.length = 10 << 20
        answer.rangeSupport = .bytes
        change(&answer)
        return answer
    }

    @Test("the parts are about equally large and together make up the whole", arguments: [2, 3, 4, 7, 10])
    func sizes(count: Int) throws {
        let total = 10 << 20
        let parts = try #require(PartPlan.parts(of: answer(), atMost: count))
        #expect(parts.count == count && parts.first?.lowerBound == 0 && parts.last?.upperBound == total)
        for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.upperBound == next.lowerBound) }
        let sizes = parts.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) < count)
    }

    @Test("the number of parts is limited by their minimum size and by the maximum number")
    func limits() {
        #expect(PartPlan.parts(of: answer(), atMost: 11)?.count == 10)
        #expect(PartPlan.parts(of: answer { $0.length = 1 << 30 }, atMost: 1000)?.count == 16)
        #expect(PartPlan.parts(of: answer { $0.length = (2 << 20) - 1 }, atMost: 4) == nil)
        #expect(PartPlan.parts(of: answer(), atMost: 1) == nil)
    }

    @Test("a download is split only if a 200 has a length, a strong validator, range support and uncoded content")
    func needs() {
        let changes: [(inout PartialResponse) -> Void] = [
            { $0.status = 206 }, { $0.status = 203 }, { $0.length = nil }, { $0.eTags = ["W/\"v1\""] },
            { $0.eTags = [] },
            { $0.rangeSupport = .unknown }, { $0.rangeSupport = .none }, { $0.isCoded = true },
        ]
        for change in changes { #expect(PartPlan.parts(of: answer(change), atMost: 4) == nil) }
    }

    private func machine() throws -> ResumeMachine {
        let validator = try #require(StrongValidator(fieldValue: "\"v1\""))
        return ResumeMachine(.init(), part: 100..<200, of: .init(validator: validator, total: 1000))
    }

    private func part(_ range: String, _ change: (inout PartialResponse) -> Void = { _ in }) -> PartialResponse {
        var answer = PartialResponse(status: 206)
        answer.contentRange = ["bytes \(range)"]
        answer.eTags = ["\"v1\""]
        change(&answer)
        return answer
    }

    @Test("a part is fetched from its start to its end and no further")
    func fetching() throws {
        var machine = try machine()
        guard case .rest(100, _) = machine.nextRequest else {
            Issue.record("\(machine.nextRequest)")
            return
        }
        #expect(machine.receive(part("100-149/1000")) == .append)
        #expect(machine.take(50) && !machine.finishBody())
        guard case .rest(150, _) = machine.nextRequest else {
            Issue.record("\(machine.nextRequest)")
            return
        }
        #expect(machine.receive(part("150-199/1000") { $0.length = 50 }) == .append)
        #expect(machine.take(50) == true)
        #expect(machine.nextRequest == .nothing)
        #expect(machine.take(1) == false)
    }

    @Test("an answer for another position, size or version is rejected")
    func lies() throws {
        let answers = [
            part("0-99/1000"), part("101-199/1000"), part("100-200/1000"), part("100-199/1001"), part("100-199/*"),
            part("100-199/1000") { $0.eTags = ["\"v2\""] }, part("100-199/1000") { $0.eTags = [] },
            part("100-199/1000") { $0.eTags = ["W/\"v1\""] }, part("100-199/1000") { $0.isCoded = true },
            part("100-199/1000") { $0.hasSeveralParts = true }, part("100-199/1000") { $0.length = 99 },
            PartialResponse(status: 206), PartialResponse(status: 200), PartialResponse(status: 416),
            PartialResponse(status: 404),
        ]
        for answer in answers {
            var machine = try machine()
            let decision = machine.receive(answer)
            #expect(decision != .append && decision != .retryLater && decision != .complete, "\(answer)")
        }
        var later = try machine()
        #expect(later.receive(PartialResponse(status: 503)) == .retryLater)
    }
}
