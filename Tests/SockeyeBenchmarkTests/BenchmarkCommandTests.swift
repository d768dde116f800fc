import Testing

@testable import sockeye_benchmark

@Suite("The benchmark's command line")
struct BenchmarkCommandTests {
    private static let accepted: [([String], BenchmarkCommand)] = [
        ([], .measure(BenchmarkOptions())),
        (["--tls", "--json"], .measure(BenchmarkOptions(usesTLS: true, printsJSON: true))),
        (["--seconds", "0.5"], .measure(BenchmarkOptions(seconds: 0.5))),
        (["--seconds", "60", "--tls"], .measure(BenchmarkOptions(usesTLS: true, seconds: 60))),
        (["--serve"], .serve(usesTLS: false)),
        (["--serve", "--tls"], .serve(usesTLS: true)),
        (["--tls", "--help", "--nonsense"], .help),
        (["-h"], .help),
    ]

    @Test("valid arguments give the expected command", arguments: accepted)
    func accepts(_ arguments: [String], _ command: BenchmarkCommand) throws {
        #expect(try BenchmarkCommand(arguments: arguments) == command)
    }

    private static let refused: [([String], String)] = [
        (["--fast"], "unknown argument '--fast'; see --help"),
        (["5"], "unknown argument '5'; see --help"),
        (["--seconds"], "--seconds takes a number from 0.1 to 60, but no value was given; see --help"),
        (["--seconds", "0"], "--seconds takes a number from 0.1 to 60, not '0'; see --help"),
        (["--seconds", "61"], "--seconds takes a number from 0.1 to 60, not '61'; see --help"),
        (["--seconds", "nan"], "--seconds takes a number from 0.1 to 60, not 'nan'; see --help"),
        (["--seconds", "--tls"], "--seconds takes a number from 0.1 to 60, not '--tls'; see --help"),
    ]

    @Test("invalid arguments are refused with the reason", arguments: refused)
    func refuses(_ arguments: [String], _ reason: String) {
        let error = #expect(throws: BenchmarkUsageError.self) { try BenchmarkCommand(arguments: arguments) }
        #expect(error?.description == reason)
    }

    @Test(
        "the greeting that the benchmark's server prints is read back with its URL and roots",
        arguments: [nil, "-----BEGIN CERTIFICATE-----\nAA==\n"])
    func greeting(_ roots: String?) {
        let greeting = ServerGreeting(url: "http://127.0.0.1:8080", roots: roots)
        #expect(ServerGreeting(greeting.text + "\n")?.url == greeting.url)
        #expect(ServerGreeting(greeting.text)?.roots == roots)
    }

    @Test("other output is not a greeting", arguments: ["", "\n", "sockeye-benchmark: no port\n"])
    func noGreeting(_ output: String) {
        #expect(ServerGreeting(output) == nil)
    }
}
