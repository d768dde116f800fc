import ArgumentParser
import Foundation
import Sockeye
import SockeyeToolKit

struct TraceCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Makes a request and shows when each of its phases took place.",
        usage: "sockeye trace [METHOD] URL [ITEM...] [OPTION...]",
        discussion: """
            Phases are pool (in line for a connection), resolve, connect, tls, send, wait (for the head of the response) and \
            receive; each request of the call has its own, redirects and retries included. The content is thrown away.
            """)

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Connections") var route: RouteArguments
    @OptionGroup(title: "TLS") var tls: TLSArguments
    @OptionGroup(title: "Redirects, cookies, credentials") var policies: PolicyArguments

    func run() async throws {
        try output.checkIsWithoutFile("trace")
        let draft = try request.draft()
        try await output.reporting(draft.url) {
            try await policies.withJar { jar in
                let client = try makeClient(output, for: draft, jar: jar)
                let cookies = policies.cookieField
                let request = try PreparedRequest(draft, cookies: cookies, options: callOptions).request
                let response = try await client.send(request)
                for try await _ in response.body {}
                if let metrics = response.metrics { try show(CallTimeline(metrics)) }
                if response.status.code >= 400, policies.fail {
                    throw CommandFailure(refusing: response, output)
                }
            }
        }
    }

    private func show(_ timeline: CallTimeline) throws {
        if output.asJSON { return try Terminal.output.print(timeline.json.description) }
        let environment = ProcessInfo.processInfo.environment
        let style = TextStyle(isColored: Terminal.output.isColored)
        let waterfall = Waterfall(timeline, style: style, glyphs: Glyphs(environment: environment))
        try Terminal.output.print(waterfall.lines(width: Terminal.output.width).joined(separator: "\n"))
    }
}
