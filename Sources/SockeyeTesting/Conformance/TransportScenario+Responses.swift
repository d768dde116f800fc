import Sockeye
import SockeyeEngine

extension TransportScenario {
    /// Scenarios about the response that the caller receives.
    static let responses: [TransportScenario] = [
        TransportScenario("every status is a response") { client in
            let server = try TestServer { request in .status(Int(request.path.dropFirst()) ?? 500) }
            for code in [200, 201, 204, 205, 299, 304, 400, 404, 500, 599] {
                let response = try await client.get(server.url("/\(code)"))
                try check(response.status.code == code, "got status \(response.status.code) instead of \(code)")
                try check(try await response.bytes().isEmpty, "the response with status \(code) had a body")
            }
        },
        TransportScenario("names of fields are case-insensitive, and repeated fields keep their order") { client in
            let server = try TestServer { _ in .ok("x", headers: ["X-A": "1", "x-a": "2", "Set-Cookie": "a=1, b"]) }
            let response = try await client.get(server.url())
            let values = response.headers.filter { $0.name == "x-a" }.map(\.value)
            try check(values == ["1", "2"], "the values were \(values)")
            try check(response["X-a"] == "1" && response[.setCookie] == "a=1, b", "a field is missing")
        },
        TransportScenario("bodies are whole, whatever their framing") { client in
            let server = try TestServer { request in
                request.path == "/length" ? .source(length: 300_000) : .stream(TransportPieces(["ab", "", "c"]))
            }
            let bytes = try await client.get(server.url("/length")).bytes()
            try check(
                bytes.count == 300_000 && TestPattern.matches(bytes, at: 0),
                "\(bytes.count) bytes arrived, or their content was wrong")
            let text = try await client.get(server.url("/chunked")).text()
            try check(text == "abc", "the content of the chunks was '\(text)'")
            let raw = try await RawServer.start(script: [
                .readRequestHead, .send("HTTP/1.0 200 OK\r\n\r\nuntil the end"), .close,
            ])
            let last = try await client.get(raw.url()).text()
            try check(last == "until the end", "'\(last)' was the content of a body that ends with its connection")
        },
        TransportScenario("a response to HEAD has no body, and the next request gets its own response") { client in
            let server = try TestServer { request in .ok(request.path) }
            for path in ["/a", "/b"] {
                let head = try await client.head(server.url(path))
                try check(try await head.bytes().isEmpty, "HEAD had a body")
                let text = try await client.get(server.url(path)).text()
                try check(text == path, "the response to \(path) was '\(text)'")
            }
        },
        TransportScenario("interim responses are not taken for the final one") { client in
            let server = try TestServer { _ in
                TestServerResponse.ok("final").after(interim: 102).after(
                    interim: .earlyHints, headers: ["Link": "</a>"])
            }
            let response = try await client.get(server.url())
            let text = try await response.text()
            try check(response.status == .ok && text == "final", "the response was \(response.status.code) '\(text)'")
        },
        TransportScenario("a body is delivered as it arrives") { client in
            let read = TestSignal()
            let server = try TestServer { _, responder in
                try await responder.sendHead()
                try await responder.write("first")
                try await read.wait(timeout: .seconds(5))
                try await responder.write("second")
                try await responder.finish()
            }
            var pieces = ""
            for try await piece in try await client.get(server.url()).body {
                pieces += String(decoding: piece, as: UTF8.self)
                if pieces == "first" { read.fire() }
            }
            try check(pieces == "firstsecond", "the content was '\(pieces)'")
        },
        TransportScenario("trailers of a response are available once its body was read") { client in
            let server = try TestServer { _ in .ok("x").trailers(["X-Sum": "1"]) }
            let response = try await client.get(server.url())
            _ = try await response.bytes()
            let trailers = response.trailers ?? [:]
            try check(trailers["X-Sum"] == "1", "the trailers were \(trailers.map { "\($0.name)" })")
        },
        TransportScenario("a redirect is followed once, by the client and not by the transport") { client in
            let server = try TestServer { request in
                request.path == "/a" ? .redirect(to: "/b") : .ok("\(request.method) \(request.path)")
            }
            let response = try await client.post(server.url("/a"), .text("x"))
            let text = try await response.text()
            try check(
                text == "GET /b" && response.history.count == 1,
                "the response was '\(text)' after \(response.history.count) redirects")
        },
    ]

    /// Scenarios about failures.
    static let failures: [TransportScenario] = [
        TransportScenario("a body that is cut off is an error, not a shorter body") { client in
            for response in [TestServerResponse.ok("0123456789"), .stream(TransportPieces(["01234", "56789"]))] {
                let server = try TestServer { _ in response.cut(after: 5) }
                _ = try await failure("a body that was cut off") { _ = try await client.get(server.url()).bytes() }
            }
        },
        TransportScenario("a connection that ends before the head, or is refused, is an error") { client in
            let server = try await RawServer.start(script: [.readRequestHead, .close])
            _ = try await failure("a missing response") { _ = try await client.post(server.url()) }
            let port = try ClosedPort()
            _ = try await failure("a refused connection") { _ = try await client.get(port.url()) }
        },
        TransportScenario("a response that is not HTTP is an error") { client in
            for text in [
                "nonsense\r\n\r\n", "HTTP/1.1 999999 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nx",
            ] {
                let server = try await RawServer.start(script: [.readRequestHead, .send(text), .close])
                _ = try await failure("'\(text.prefix(20))'") { _ = try await client.get(server.url()).bytes() }
            }
        },
        TransportScenario("cancelling ends a call that waits for the head, or for the body") { client in
            let server = try TestServer { request in
                request.path == "/head" ? .never : TestServerResponse.ok("0123456789").cut(after: 5, by: .silence)
            }
            for path in ["/head", "/body"] {
                let task = Task { _ = try await client.get(server.url(path)).bytes() }
                try await server.wait(timeout: .seconds(5)) { $0.requests >= (path == "/head" ? 1 : 2) }
                task.cancel()
                let error = try await failure("a cancelled call") { try await task.value }
                try check(error.code == .cancelled, "the code was \(error.code) for \(path)")
            }
            try await server.wait(timeout: .seconds(5)) { $0.openConnections == 0 }
        },
        TransportScenario("a body that can be sent once is not sent twice") { client in
            let server = try TestServer { request in .text(try await request.text()) }
            let body = OutgoingRequest.Body.stream(TransportPieces(["once"]))
            let text = try await client.post(server.url(), .body(body)).text()
            try check(text == "once", "the server saw '\(text)'")
            _ = try await failure("sending it again") { _ = try await client.post(server.url(), .body(body)) }
        },
        TransportScenario("a body is read once") { client in
            let server = try TestServer { _ in .ok("x") }
            let response = try await client.get(server.url())
            _ = try await response.bytes()
            let error = try await failure("reading it again") { _ = try await response.bytes() }
            try check(error.code == .bodyConsumed, "the code was \(error.code)")
        },
    ]
}
