public import Sockeye

/// Runs a test with a client that records, or that answers from a recording.
///
/// ```swift
/// try await withRecording("Recordings/users.txt") { client in
///     let user = try await client.get(
///         "https://api.example.com/users/1", as: User.self)
///     #expect(user.name == "Ada")
/// }
/// ```
///
/// - Parameters:
///   - path: The file. A relative path is relative to the folder of the calling source file.
///   - mode: The source of the responses: the recording file, the network, or both. By default the environment variable
///     `SOCKEYE_RECORD` decides; see ``RecordedTransport/Mode/environment``.
///   - network: The client that provides the connections for recording.
///   - rules: The rules that remove secrets before anything reaches the disk.
///   - matching: The rules that decide if a request matches a recorded one.
///   - interceptors: The policies of the client. They run while recording and while replaying.
///   - file: The calling source file; leave the default.
///   - body: The test.
/// - Throws: Errors of `body`, in which case the recording is not written; errors of ``RecordedTransport/finish()``;
///   and ``TestServerError`` with the code `badRecording` if the recording cannot be opened.
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
