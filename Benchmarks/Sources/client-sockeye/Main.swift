import BenchmarkKit

@main struct Main {
    static func main() async throws { try await Sample.run(SockeyeLoad.self) }
}
