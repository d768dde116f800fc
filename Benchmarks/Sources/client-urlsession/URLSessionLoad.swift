import BenchmarkKit
import Foundation
import FoundationNetworking

/// URLSession of FoundationNetworking with an ephemeral configuration and as many connections as the scenario asks for.
///
/// On Linux it trusts the system's roots and no others, so whoever runs this puts the root of the scenario there. It has
/// no way to upload from an asynchronous sequence, so upload scenarios leave it out.
struct URLSessionLoad: ExchangeClient {
    let options: ClientOptions
    private let url: URL
    private let session: URLSession
    private let counter = BodyCounter()

    init(_ options: ClientOptions) throws {
        guard let url = URL(string: options.url) else { throw URLError(.badURL) }
        self.options = options
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.connections
        session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
    }

    func exchange() async throws -> Int {
        let request = URLRequest(url: url)
        let (status, bytes): (Int, Int)
        if options.job.bytes < 1 << 20 {
            let (data, response) = try await session.data(for: request)
            (status, bytes) = ((response as? HTTPURLResponse)?.statusCode ?? 0, data.count)
        } else {
            (status, bytes) = try await counter.run(session.dataTask(with: request))
        }
        try WrongAnswer.check(status: status, bytes: bytes, for: options.job)
        return bytes
    }

    func shutDown() { session.invalidateAndCancel() }
}
