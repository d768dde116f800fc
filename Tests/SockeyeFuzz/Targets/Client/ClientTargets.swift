import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeStreams

/// The complete client over unix-domain sockets: policies, codings, and readers of content.
enum ClientTargets {
    /// No call outlasts its deadline, and no error text has control characters. The outcome does not depend on how the
    /// bytes of the answers are cut.
    static let client: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let plan = ClientPlan(&input)
        let pieces = input.pieces()
        let whole = input.answers.map { [$0] }
        let one = outcomes(of: plan, answers: whole)
        guard plan.isDetermined else { return }
        let other = outcomes(of: plan, answers: cut(whole, at: pieces.map(\.endIndex)))
        // On a busy machine the deadline may pass in only one of the runs.
        guard !(one + other).contains(where: { $0.error == .timeout }) else { return }
        require(one == other, "the outcome depends on how the bytes are cut: \(one) and \(other)")
    }

    /// Returns the answers with cuts at positions of the input.
    private static func cut(_ answers: [[ArraySlice<UInt8>]], at positions: [Int]) -> [[ArraySlice<UInt8>]] {
        answers.map { answer in
            answer.flatMap { bytes in
                var pieces: [ArraySlice<UInt8>] = []
                var rest = bytes
                for position in positions where position > rest.startIndex && position < rest.endIndex {
                    pieces.append(rest[..<position])
                    rest = rest[position...]
                }
                return pieces + [rest]
            }
        }
    }

    /// The outcome of one call for its caller.
    private struct Outcome: Equatable, Sendable {
        var status: Int?
        var fields: Headers = [:]
        var content: [String] = []
        var error: SockeyeError.Code?
    }

    private static func outcomes(of plan: ClientPlan, answers: [[ArraySlice<UInt8>]]) -> [Outcome] {
        let script = FuzzServer.Script(answers: answers, ending: plan.ending)
        let client = HTTPClient(configuration: plan.configuration(for: script))
        return FuzzRun.value {
            var outcomes: [Outcome] = []
            for _ in 0..<plan.calls { outcomes.append(await outcome(of: plan, client)) }
            await client.shutDown(graceful: false)
            return outcomes
        }
    }

    private static func outcome(of plan: ClientPlan, _ client: HTTPClient) async -> Outcome {
        var outcome = Outcome()
        let result = await FuzzRun.call(deadline: plan.deadline, "\(plan)") {
            var outcome = Outcome()
            switch plan.reading {
            case .clientEvents, .reconnectingEvents:
                outcome.content = try await events(plan, client)
            default:
                let response = try await client.request(
                    plan.method, "http://a.test/path", .body(plan.body), options: plan.options)
                outcome.status = response.status.code
                outcome.fields = response.headers
                outcome.content = try await read(response, plan.reading)
            }
            return outcome
        }
        switch result {
        case .success(let value): outcome = value
        case .failure(let error): outcome.error = error.code
        }
        return outcome
    }

    /// The maximum number of events or records that are read from an answer.
    private static let limit = 1000

    private static func events(_ plan: ClientPlan, _ client: HTTPClient) async throws -> [String] {
        var settings = HTTPClient.EventStream.Options()
        settings.reconnects = plan.reading == .reconnectingEvents
        settings.reconnection.pause = .zero
        settings.reconnection.longestPause = .milliseconds(1)
        (settings.reconnection.backoff, settings.reconnection.attempts) = (.none, 3)
        var content: [String] = []
        for try await event in client.events("http://a.test/events", options: .eventStream(settings)) {
            content.append("\(event.name) \(event.id) \(event.data)")
            if content.count == limit { break }
        }
        return content
    }

    private static func read(_ response: IncomingResponse, _ reading: ClientPlan.Reading) async throws -> [String] {
        var content: [String] = []
        switch reading {
        case .bytes: content.append(try await response.bytes().description)
        case .text: content.append(try await response.text())
        case .json: content.append("\(try await response.json([String: Int].self).count)")
        case .lines: for try await line in response.body.lines(limit: 100) { content.append(line) }
        case .jsonLines:
            for try await value in response.body.jsonLines(of: [String: String].self) {
                content.append("\(value.count)")
            }
        case .parts:
            for try await part in try response.parts() { content.append(try await part.bytes().description) }
        case .responseEvents: for try await event in response.body.events { content.append(event.data) }
        case .clientEvents, .reconnectingEvents, .nothing: break
        }
        return content
    }
}
