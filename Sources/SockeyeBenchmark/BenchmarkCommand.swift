/// The duration and connection type of the measurements, and the output format.
struct BenchmarkOptions: Equatable {
    var usesTLS = false
    /// The duration of each of the four measurements: requests over one and over many connections, download, upload.
    var seconds = 5.0
    var printsJSON = false

    static let secondsAllowed = 0.1...60

    /// The time after which the benchmark gives up, more than twice the time of all measurements.
    var longestTime: Duration { .seconds(60 + 10 * seconds) }
}

/// The action that the command line selects.
enum BenchmarkCommand: Equatable {
    case help
    case measure(BenchmarkOptions)
    /// Runs the server of the benchmark, in a child process that the benchmark starts. The help does not mention this
    /// action.
    case serve(usesTLS: Bool)

    /// Parses the command line.
    ///
    /// - Parameter arguments: The arguments after the program's name.
    init(arguments: [String]) throws(BenchmarkUsageError) {
        var options = BenchmarkOptions()
        var serves = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--tls": options.usesTLS = true
            case "--json": options.printsJSON = true
            case "--seconds": options.seconds = try Self.seconds(rest.popFirst())
            case "--serve": serves = true
            default: throw BenchmarkUsageError("unknown argument '\(argument)'")
            }
        }
        self = serves ? .serve(usesTLS: options.usesTLS) : .measure(options)
    }

    private static func seconds(_ text: String?) throws(BenchmarkUsageError) -> Double {
        let allowed = BenchmarkOptions.secondsAllowed
        guard let seconds = text.flatMap({ Double($0) }), allowed.contains(seconds) else {
            let given = text.map { "not '\($0)'" } ?? "but no value was given"
            throw BenchmarkUsageError(
                "--seconds takes a number from \(allowed.lowerBound) to \(Int(allowed.upperBound)), \(given)")
        }
        return seconds
    }

    static let helpText = """
        Measures Sockeye with the server of SockeyeTesting, which runs in a separate process on this machine.

        usage: swift run -c release sockeye-benchmark [--tls] [--seconds N] [--json]

          --tls         use TLS, with a certificate made for this run
          --seconds N   the duration of each of the four measurements, from 0.1 to 60; default 5
          --json        print JSON; its names contain the units
          --help        print this text

        CPU time, instructions and memory are those of the client's process. The server has one thread, which may limit
        requests per second and GB/s. Compare only figures of the same machine.
        """
}

/// A command line that the benchmark cannot parse.
struct BenchmarkUsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ problem: String) {
        description = "\(problem); see --help"
    }
}
