/// Runs a test against a server, then stops the server. Throws if the handler failed or a request was malformed.
///
/// ```swift
/// try await withTestServer { request in
///     .ok("hello")
/// } run: { server in
///     let text = try await client.get(server.url()).text()
///     #expect(text == "hello")
/// }
/// ```
///
/// - Parameters:
///   - address: The address to listen on. Default: 127.0.0.1 and a port that the kernel chooses.
///   - tls: The TLS settings. Default nil: plain HTTP.
///   - options: See ``TestServerOptions``.
///   - handler: Called for each request; see
///     ``TestServer/start(on:tls:options:handler:)-(_,_,_,(TestRequest)->TestServerResponse)``.
///   - body: The test.
/// - Throws: ``TestServerFailures`` if the handler failed or a request was malformed. If `body` threw an error as well,
///   this error is the ``TestServerFailures/testError``. Without such failures, the error that `body` threw.
///   ``TestServerError`` with the code `cannotStart` if the server cannot be started.
public func withTestServer<Result>(
    on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
    handler: @escaping @Sendable (TestRequest) async throws -> TestServerResponse,
    run body: (TestServer) async throws -> Result
) async throws -> Result {
    try await run(TestServer.start(on: address, tls: tls, options: options, handler: handler), body)
}

/// Runs a test against a server with a handler that answers step by step; otherwise like
/// ``withTestServer(on:tls:options:handler:run:)``.
public func withTestServer<Result>(
    on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
    handler: @escaping @Sendable (TestRequest, TestResponder) async throws -> Void,
    run body: (TestServer) async throws -> Result
) async throws -> Result {
    try await run(TestServer.start(on: address, tls: tls, options: options, handler: handler), body)
}

private func run<Result>(
    _ server: TestServer, _ body: (TestServer) async throws -> Result
) async throws -> Result {
    let result: Result
    do {
        result = try await body(server)
    } catch {
        await server.stop()
        let failures = server.failures
        throw failures.isEmpty ? error : TestServerFailures(failures: failures, testError: error)
    }
    await server.stop()
    try server.checkForFailures()
    return result
}
