import ArgumentParser
import Sockeye

/// What all commands have in common.
struct CommonOptions: ParsableArguments {
    @Argument(help: "The URL.")
    var url: String

    @Option(name: [.customShort("H"), .long], help: "A field of the request, such as 'Accept: text/html'.")
    var header: [String] = []

    @Option(help: "User name and password for Basic credentials, divided by a colon.")
    var user: String?

    @Option(help: "Seconds for the whole call.")
    var timeout: Double?

    @Option(help: "How often a call that failed is repeated.")
    var retry = 0

    @Option(help: "Certificates to trust besides the system's, in a PEM file.")
    var cacert: String?

    @Flag(help: "Returns redirects as they are.")
    var noRedirects = false

    @Flag(help: "Fails when the status is not 2xx.")
    var fail = false

    @Flag(help: "Prints the head of the response, too.")
    var include = false

    @Flag(help: "Prints how long everything took.")
    var timing = false

    /// A client that does what the options say.
    func client() throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.userAgent = "sockeye-tool"
        configuration.timeouts.total = timeout.map { .seconds($0) }
        if let cacert { configuration.tls = TLSOptions(roots: .systemAnd(.file(cacert))) }
        var client = HTTPClient(configuration: configuration)
        if noRedirects { client = client.adding(.redirects(.manual)) }
        if retry > 0 { client = client.adding(.retry(max: retry, backoff: .exponential(jitter: .full))) }
        if let user {
            let parts = user.split(separator: ":", maxSplits: 1).map(String.init)
            client = client.adding(.basic(user: parts.first ?? "", password: parts.count > 1 ? parts[1] : ""))
        }
        return client
    }

    func headers() throws -> Headers {
        var headers = Headers()
        for line in header {
            guard let colon = line.firstIndex(of: ":") else {
                throw ValidationError("'\(line)' is no field: a name, a colon and a value.")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append(FieldName(String(line[..<colon])), String(value))
        }
        return headers
    }

    var options: OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        options.collectsMetrics = timing
        return options
    }
}
