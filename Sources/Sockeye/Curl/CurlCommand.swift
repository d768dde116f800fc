import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

extension OutgoingRequest {
    /// A request as a command of curl(1), for a POSIX shell: to try it by hand, or to show it to somebody.
    ///
    /// ```swift
    /// print(try await api.curlCommand(.post, "items", .json(item)))
    /// // curl --globoff --path-as-is --http1.1 \
    /// //   --request POST \
    /// //   --header 'Content-Type: application/json' \
    /// //   --data-raw '{"name":"coast"}' \
    /// //   https://api.example.com/v1/items
    /// ```
    ///
    /// The server gets the method, target, fields and content that it would get from this library; so redirects are not followed,
    /// and nothing is repeated. Deadlines, proxies and TLS are curl's own. Whatever stands in the request, a shell runs
    /// nothing of it. Alamofire's counterpart is `cURLDescription`.
    ///
    /// Secrets are replaced by `***` unless they are asked for: Authorization, Cookie, the fields of
    /// ``RedirectPolicy/usualStrippedFields``, user information of the URL, and other fields and query items whose names say that
    /// they hold a signature, a token, a key or a password. URLs in fields, such as Referer, are masked like the URL. Secrets in
    /// the path and in the content are shown.
    public struct CurlCommand: Sendable, Hashable, CustomStringConvertible {
        /// The program and its arguments, as they are without a shell.
        public internal(set) var arguments: [String]
        /// Whether it does what the request does. False where secrets were left out, where content is to be written to the
        /// standard input by hand (a stream, or bytes beyond what was to be shown), and where trailers are missing.
        public internal(set) var isComplete: Bool
        /// Commands that write the content to the standard input; empty where there is none, or it has to be done by hand.
        var inputs: [String] = []

        /// The command for a shell, in several lines.
        public var description: String {
            var text = "curl"
            var isOption = false
            for (index, argument) in arguments.enumerated().dropFirst() {
                let isFlag = argument.hasPrefix("--") && !isOption
                let startsLine = isFlag && Self.valued.contains(argument) || index == arguments.count - 1
                text += (startsLine ? " \\\n  " : " ") + ShellText.word(argument)
                isOption = isFlag && Self.valued.contains(argument)
            }
            switch inputs.count {
            case 0: return text
            case 1: return "\(inputs[0]) | \(text)"
            default: return "{ \(inputs.joined(separator: "; ")); } | \(text)"
            }
        }

        /// The options that are written here and have a value.
        static let valued: Set<String> = ["--request", "--header", "--data-raw", "--data-binary", "--unix-socket"]
    }

    /// The request as a command of curl(1), as far as the request itself says; ``curlCommand(as:showingSecrets:inlining:)``
    /// adds what a client would.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether credentials are shown. Default false.
    ///   - limit: The most bytes of content that are shown, at most 96 KiB; more has to come from the standard input. Default 16 KiB.
    public func curlCommand(showingSecrets: Bool = false, inlining limit: Int = 16 << 10) -> CurlCommand {
        CurlComposer(self, showsSecrets: showingSecrets, limit: limit).command
    }
}

/// The composer of a ``OutgoingRequest/CurlCommand``: decides which options say what a request does.
struct CurlComposer {
    private let request: OutgoingRequest
    private let showsSecrets: Bool
    private let limit: Int
    private(set) var command = OutgoingRequest.CurlCommand(
        arguments: ["curl", "--globoff", "--path-as-is", "--http1.1"], isComplete: true)

    private static var mask: SecretItemMask { SecretItemMask(mark: "***") }

    /// One argument may have 128 KiB (execve(2)).
    private static let largestArgument = 96 << 10

    /// - Parameter decodes: Whether the library would undo codings of the answer.
    init(_ request: OutgoingRequest, showsSecrets: Bool, limit: Int, decodes: Bool = false) {
        self.request = request
        self.showsSecrets = showsSecrets
        self.limit = min(limit, Self.largestArgument)
        if decodes { command.arguments.append("--compressed") }
        addMethod()
        addFields()
        addContent()
        if let path = request.options.unixSocketPath { add("--unix-socket", path) }
        addTarget()
    }

    private mutating func add(_ option: String, _ value: String) { command.arguments += [option, value] }

    private var hasContent: Bool { request.body.length != 0 }

    private mutating func addMethod() {
        let method = request.method.rawValue
        if method == "HEAD", !hasContent {
            // With another option curl would wait for content.
            command.arguments.append("--head")
        } else if method != "GET" || hasContent {
            add("--request", method)
        }
    }

    // MARK: Fields

    /// What the library writes itself, or drops; see ``OutgoingRequest/headers``.
    private static let framing: Set<Headers.Name> = [
        "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection", "Upgrade", "TE",
        "Expect",
        "Proxy-Authorization",
    ]

    private mutating func addFields() {
        var headers = request.headers
        if let credential = request.url.credential, !headers.contains(.authorization),
            let authorization = try? credential.checkedAuthorization
        {
            headers.append(.authorization, authorization)
        }
        for field in headers where !Self.framing.contains(field.name) {
            let value = shown(field.value, of: field.name)
            if value != field.value { command.isComplete = false }
            addField(field.name.description, value)
        }
        if request.options.closesConnection || headers.asksToClose { addField("Connection", "close") }
        guard hasContent else { return }
        // curl has its own opinion of each of these.
        if !headers.contains(.contentType) { add("--header", "Content-Type:") }
        if request.body.length == nil { addField("Transfer-Encoding", "chunked") }
        if request.options.expectContinue != nil || headers.asksForContinue {
            addField("Expect", "100-continue")
        } else if request.body.length ?? .max >= 1024 {
            add("--header", "Expect:")
        }
    }

    /// The value of a field without its secrets, unless they are shown.
    private func shown(_ value: String, of name: Headers.Name) -> String {
        if showsSecrets { return value }
        return name.isSecret ? "***" : Self.mask.masking(value, of: name)
    }

    /// A field without a value ends in a semicolon: with a colon curl would leave it out.
    private mutating func addField(_ name: String, _ value: String) {
        add("--header", value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    // MARK: Content

    private mutating func addContent() {
        if request.body.trailers != nil { command.isComplete = false }
        guard hasContent else {
            guard MethodKind(request.method.rawValue).announcesEmptyBody else { return }
            if !request.headers.contains(.contentType) { add("--header", "Content-Type:") }
            return add("--data-raw", "")
        }
        if let bytes = request.body.bytesInMemory {
            if bytes.count <= limit, let text = ShellText.text(of: bytes) { return add("--data-raw", text) }
            return addInput([.bytes(bytes)])
        }
        let pieces = request.body.outline?.pieces ?? [.unknown(length: request.body.length)]
        if pieces.count == 1, case .file(let path, _) = pieces[0] {
            // `@-` is the standard input.
            return add("--data-binary", "@" + (path == "-" ? "./-" : path))
        }
        addInput(pieces)
    }

    /// Content that is piped to curl, where all of it can be named.
    private mutating func addInput(_ pieces: [BodyOutline.Piece]) {
        add("--data-binary", "@-")
        var (inputs, shown): ([String], Int) = ([], 0)
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                shown += bytes.count
                if shown <= limit { inputs.append(ShellText.printing(bytes)) }
            case .file(let path, _):
                inputs.append("cat " + ShellText.word(path.hasPrefix("-") ? "./" + path : path))
            case .unknown:
                command.isComplete = false
                return
            }
            guard shown <= limit else {
                command.isComplete = false
                return
            }
        }
        command.inputs = inputs
    }

    // MARK: The URL

    /// Without user information, which is in a field, and without a fragment, which is not sent.
    private mutating func addTarget() {
        let target = String(Substring(request.url.absoluteForm))
        let shown = showsSecrets ? target : Self.mask.masking(url: target)
        if shown != target { command.isComplete = false }
        command.arguments.append(shown)
    }
}
