import Benchmark
import MicroKit
import SockeyeCore
import SockeyeHTTP

/// Steps of whole small exchanges without I/O: all work of the protocol engine for a request and its response.
func benchmarkExchanges() {
    let defaults = SampleRequest.defaults()
    let get = RequestHead(method: "GET", target: SampleRequest.target())
    let answer = SampleHead.bytes(fields: 8) + [UInt8](repeating: 0x78, count: 1270)
    require("the connection can be used again") { try isReusable(exchange(get, defaults, answers: [answer])) }
    Benchmark("exchange-get") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try exchange(get, defaults, answers: [answer]))
        }
    }

    let post = RequestHead(
        method: "POST", target: SampleRequest.target(), headers: ["Content-Type": "application/json"], body: .chunked,
        expectsContinue: true)
    let head = "HTTP/1.1 201 Created\r\nLocation: /v1/users/7\r\nTransfer-Encoding: chunked\r\n\r\n"
    let created = head + "5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n"
    let answers = [Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), Array(created.utf8)]
    require("the connection can be used again") { try isReusable(exchange(post, defaults, answers: answers)) }
    Benchmark("exchange-post-expecting-continue") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try exchange(post, defaults, answers: answers))
        }
    }
}

/// Sends a request and reads its response.
/// - Parameter answers: Responses with one head each; the last one is final and followed by its body.
/// - Returns: The verdict about reusing the connection.
private func exchange(
    _ request: borrowing RequestHead, _ fields: DefaultFields, answers: [[UInt8]]
) throws -> ConnectionVerdict {
    try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
        blackHole(try RequestHeadEncoder.encode(request, defaults: fields, into: buffer))
    }
    var machine = ExchangeMachine(ExchangeFacts(request))
    if !machine.holdsBody { machine.uploadFinished() }
    for answer in answers {
        var parser = ResponseHeadParser()
        guard let summary = try parser.parse(answer.span) else { return machine.verdict }
        switch try machine.receivedHead(summary) {
        case .sendBody:
            machine.uploadFinished()
        case .final(let framing, _):
            try readBody(answer.span.extracting(summary.byteCount...), framing)
            machine.responseBodyFinished()
        case .interim, .keepReading, .expectationFailed, .awaitUpload, .switchProtocols, .tunnel: break
        }
    }
    return machine.verdict
}

private func readBody(_ input: Span<UInt8>, _ framing: BodyFraming) throws {
    var decoder = BodyDecoder(framing)
    var position = 0
    while !decoder.isFinished {
        switch try decoder.decode(input.extracting(position...)) {
        case .data(let range): position += range.upperBound
        case .needMore(let consumed), .end(let consumed): position += consumed
        }
    }
}

private func isReusable(_ verdict: ConnectionVerdict) -> Bool {
    if case .reuse = verdict { true } else { false }
}
