public import Sockeye

/// Runs a test with a client that records, or that answers from a recording.
///
/// ```swift
/// try await withRecording("Recordings/users.txt") { client in
///     let user = try await client.get("https://api.example.com/users/1", as: User.self)
///     #expect(user.name == "Ada")
/// }
/// ```
///
/// - Parameters:
///   - path: The file; relative to the folder of the source file that this is called in.
///   - mode: Whether to ask the network; by default as the environment says, see
///     ``RecordedTransport/Mode/environment``.
///   - network: Whose connections are used for recording.
///   - rules: What is removed before it reaches the disk.
///   - matching: When a request is one that was recorded.
///   - interceptors: The policies of the client, which run in both cases.
///   - file: The source file; leave it out.
///   - body: The test.
/// - Throws: What `body` throws, and nothing is written then; or what ``RecordedTransport/finish()`` throws.
public func withRecording<Result>(
    _ path: String, mode: RecordedTransport.Mode = .environment, over network: HTTPClient = HTTPClient(),
    rules: RecordingRules = RecordingRules(), matching: RecordedTransport.Matching = RecordedTransport.Matching(),
    interceptors: [any Interceptor] = [], file: String = #filePath, run body: (HTTPClient) async throws -> Result
) async throws -> Result {
    let transport = try RecordedTransport(
        path, mode: mode, over: network, rules: rules, matching: matching, file: file)
    let result = try await body(HTTPClient(transport: transport, interceptors: interceptors))
    try await transport.finish()
    return result
}
