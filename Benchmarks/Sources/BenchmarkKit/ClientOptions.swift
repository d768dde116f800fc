/// The command line of every client: the request, the server and the number of requests.
///
/// Parsed by hand, because a client must not link more than its HTTP library does: memory is one of the results.
package struct ClientOptions: Sendable {
    package var url = ""
    package var job = Job.get(expecting: 0)
    package var mode = Mode.load
    /// The maximum of open connections.
    package var connections = 1
    /// The number of simultaneous requests; nil for the number of connections.
    package var tasks: Int?
    /// The URL of a server that withholds responses, for modes that need one.
    package var heldURL = ""
    /// The URL of a small request before all others, and the bytes of its response; empty for none.
    package var smallURL = ""
    package var smallBytes = 0
    /// The seconds of measuring, unless `requests` ends it earlier.
    package var seconds = 1.0
    /// The maximum of measured requests.
    package var requests = Int.max
    /// The seconds of requests that are not counted.
    package var warmup = 0.2
    /// A PEM file with the only trusted root; nil for plain HTTP.
    package var roots: String?
    /// The URL of a proxy: `http`, `https` or `socks5h`; nil for none.
    package var proxy: String?
    /// The content coding of responses, `gzip`, `br` or `zstd`; nil for none.
    package var coding: String?
    /// A file to upload, instead of an asynchronous sequence.
    package var uploadFile: String?
    /// True if each request is a task of the client with progress, instead of a call.
    package var usesTransfers = false
    /// True if instructions are counted, which makes everything else slower.
    package var countsInstructions = false
    /// A way of using the client that is not its default.
    package var variant: String?

    /// The size of a chunk in uploads.
    package static let uploadChunk = 64 * 1024

    /// Parses `--name value` pairs, in any order.
    package init(arguments: some Sequence<String>) throws(OptionError) {
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            guard let value = rest.next() else { throw OptionError(name: name, value: nil) }
            try set(name, to: value)
        }
    }

    private mutating func set(_ name: String, to value: String) throws(OptionError) {
        func number<Number: LosslessStringConvertible>(_: Number.Type) throws(OptionError) -> Number {
            guard let number = Number(value) else { throw OptionError(name: name, value: value) }
            return number
        }
        switch name {
        case "--url": url = value
        case "--get": job = .get(expecting: try number(Int.self))
        case "--json": job = .json(users: try number(Int.self))
        case "--upload": job = .upload(bytes: try number(Int.self), chunked: false)
        case "--upload-chunked": job = .upload(bytes: try number(Int.self), chunked: true)
        case "--form": job = .form(bytes: try number(Int.self))
        case "--mode":
            guard let known = Mode(rawValue: value) else { throw OptionError(name: name, value: value) }
            mode = known
        case "--connections": connections = try number(Int.self)
        case "--tasks": tasks = try number(Int.self)
        case "--held-url": heldURL = value
        case "--small-url": smallURL = value
        case "--small-bytes": smallBytes = try number(Int.self)
        case "--seconds": seconds = try number(Double.self)
        case "--requests": requests = try number(Int.self)
        case "--warmup": warmup = try number(Double.self)
        case "--roots": roots = value
        case "--proxy": proxy = value
        case "--coding": coding = value
        case "--upload-file": uploadFile = value
        case "--transfers": usesTransfers = value == "yes"
        case "--instructions": countsInstructions = value == "yes"
        case "--variant": variant = value
        default: throw OptionError(name: name, value: nil)
        }
    }

    /// The same options as a command line.
    package var arguments: [String] {
        var list = [
            "--url", url, "--connections", "\(connections)", "--seconds", "\(seconds)", "--warmup", "\(warmup)",
        ]
        switch job {
        case .get(let bytes): list += ["--get", "\(bytes)"]
        case .json(let users): list += ["--json", "\(users)"]
        case .form(let bytes): list += ["--form", "\(bytes)"]
        case .upload(let bytes, let chunked): list += [chunked ? "--upload-chunked" : "--upload", "\(bytes)"]
        }
        if mode != .load { list += ["--mode", mode.rawValue] }
        if let tasks { list += ["--tasks", "\(tasks)"] }
        if !heldURL.isEmpty { list += ["--held-url", heldURL] }
        if !smallURL.isEmpty { list += ["--small-url", smallURL, "--small-bytes", "\(smallBytes)"] }
        if requests != .max { list += ["--requests", "\(requests)"] }
        if let roots { list += ["--roots", roots] }
        if let proxy { list += ["--proxy", proxy] }
        if let coding { list += ["--coding", coding] }
        if let uploadFile { list += ["--upload-file", uploadFile] }
        if usesTransfers { list += ["--transfers", "yes"] }
        if countsInstructions { list += ["--instructions", "yes"] }
        if let variant { list += ["--variant", variant] }
        return list
    }

    /// The number of tasks, each of which sends one request after another.
    package var workers: Int { tasks ?? connections }

    /// The seconds after which an unused connection is closed; nil for the client's default. Short in the mode that
    /// measures the resources left behind.
    package var idleTimeout: Double? { mode == .cancellations ? 0.3 : nil }

    /// Options for the given job.
    package init(url: String, job: Job) {
        self.url = url
        self.job = job
    }
}

/// An error: an option does not exist, or its value is missing or invalid.
package struct OptionError: Error, CustomStringConvertible {
    let name: String
    let value: String?

    package var description: String { "unknown option or invalid value: \(name) \(value ?? "")" }
}
