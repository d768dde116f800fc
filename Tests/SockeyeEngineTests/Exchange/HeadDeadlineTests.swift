import HTTPTypes
import SockeyeCore
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The deadline for the head of a response") struct HeadDeadlineTests {
    private let time = ManualTime()

    private func request(
        head: Duration?, total: Duration?, permission: Duration? = nil
    ) throws -> PreparedRequest {
        var request = try OutgoingRequest(method: .post, url: "http://a.test/", body: "body")
        request.options.timeouts = Timeouts(total: total ?? .unlimited, head: head ?? .unlimited)
        request.options.expectContinue = permission
        return try EngineParts.prepared(request, time: TimeSource(manual: time))
    }

    private typealias Row = (head: Duration?, total: Duration?, permission: Duration?, next: Duration?)

    @Test(
        "the first check is at the earliest of the deadlines for a 100, for the head and of the call",
        arguments: [
            (.seconds(10), .seconds(60), nil, .seconds(10)), (.seconds(60), .seconds(10), nil, .seconds(10)),
            (.seconds(10), nil, .seconds(1), .seconds(1)), (.seconds(1), nil, .seconds(10), .seconds(1)),
            (nil, .seconds(5), .seconds(10), .seconds(5)), (nil, nil, .seconds(3), .seconds(3)), (nil, nil, nil, nil),
        ] as [(Duration?, Duration?, Duration?, Duration?)])
    func first(head: Duration?, total: Duration?, permission: Duration?, next: Duration?) throws {
        let request = try request(head: head, total: total, permission: permission)
        let deadline = HeadDeadline(request, from: time.now, holdsBody: permission != nil)
        #expect(deadline.deadline == time.now.deadline(after: next))
    }

    @Test("once the body is sent without a 100, only the deadline of the head applies")
    func permission() throws {
        let request = try request(head: .seconds(10), total: nil, permission: .seconds(1))
        var deadline = HeadDeadline(request, from: time.now, holdsBody: true)
        deadline.permissionIsDue()
        #expect(deadline.deadline == time.now.advanced(by: .seconds(10)))
    }

    @Test("the time limit of the head starts again with each progress of the upload, but ends with the call")
    func progress() throws {
        let request = try request(head: .seconds(10), total: .seconds(25))
        let start = time.now
        var deadline = HeadDeadline(request, from: start, holdsBody: false)
        // Rows of seconds: the time of the check, of the last progress, and of the next check, if any.
        for (now, progress, next) in [(10, 4, 14), (14, 13, 23), (23, 20, 25), (24, 14, nil), (25, 25, nil)] {
            time.advance(by: start.advanced(by: .seconds(now)).since(time.now))
            let isExtended = deadline.extend(request, lastProgress: start.advanced(by: .seconds(progress)))
            #expect(isExtended == (next != nil))
            if let next { #expect(deadline.deadline == start.advanced(by: .seconds(next))) }
        }
    }

    @Test("without an upload the deadline is not extended")
    func noUpload() throws {
        let request = try request(head: .seconds(10), total: nil)
        var deadline = HeadDeadline(request, from: time.now, holdsBody: false)
        time.advance(by: .seconds(10))
        let isExtended = deadline.extend(request, lastProgress: nil)
        #expect(!isExtended)
    }
}
