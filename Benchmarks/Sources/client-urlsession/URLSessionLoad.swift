import BenchmarkKit
import Foundation
import FoundationNetworking

/// URLSession of FoundationNetworking with an ephemeral configuration and the scenario's number of connections.
///
/// On Linux it trusts only the system's roots, so the driver replaces them by the root of the scenario. It cannot
/// upload from an asynchronous sequence, so it takes part only in uploads from a file.
struct URLSessionLoad: ExchangeClient {
    var options: ClientOptions
    private let session: URLSession
    private let counter = BodyCounter()

    init(_ options: ClientOptions) throws {
        self.options = options
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.connections
        session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
    }

    private var url: URL {
        get throws {
            guard let url = URL(string: options.url) else { throw URLError(.badURL) }
            return url
        }
    }

    func exchange() async throws -> Int {
        let (status, bytes) =
            switch options.job {
            case .get(let expected): try await get(expected)
            case .json: try await decode()
            case .upload, .form: try await upload()
            }
        try WrongAnswer.check(status: status, bytes: bytes, for: options.job)
        return bytes
    }

    private func get(_ expected: Int) async throws -> (status: Int, bytes: Int) {
        let request = URLRequest(url: try url)
        guard expected < 1 << 20 else { return try await counter.run(session.dataTask(with: request)) }
        let (data, response) = try await session.data(for: request)
        return (Self.status(of: response), data.count)
    }

    private func decode() async throws -> (status: Int, bytes: Int) {
        let (data, response) = try await session.data(for: URLRequest(url: try url))
        try WrongAnswer.check(users: try JSONDecoder().decode([User].self, from: data), for: options.job)
        return (Self.status(of: response), 0)
    }

    private func upload() async throws -> (status: Int, bytes: Int) {
        guard let file = options.uploadFile else { throw URLError(.requestBodyStreamExhausted) }
        var request = URLRequest(url: try url)
        request.httpMethod = "PUT"
        let (data, response) = try await session.upload(for: request, fromFile: URL(filePath: file))
        return (Self.status(of: response), WrongAnswer.received(data))
    }

    private static func status(of response: URLResponse) -> Int { (response as? HTTPURLResponse)?.statusCode ?? 0 }

    func shutDown() { session.invalidateAndCancel() }
}
