import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

extension OutgoingRequest {
    /// A request as a curl(1) command for a POSIX shell. With the command you can try or share the request.
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
    /// If ``isComplete`` is true, the server receives the same method, target, fields and content as from this library.
    /// The only difference: curl adds its own User-Agent or Accept if the command lacks that field. The command is for
    /// this one request: curl neither follows redirects nor retries. The command does not contain the client's
    /// deadlines, proxies and TLS settings; curl uses its own. The shell never executes any text of the request.
    /// Alamofire's counterpart is `cURLDescription`.
    ///
    /// Unless you ask for secrets, `***` replaces them. Secrets are Authorization, Cookie, the fields of
    /// ``/Sockeye/RedirectPolicy/usualStrippedFields``, the user information of the URL, and other fields and query
    /// items with names that suggest a signature, token, key or password. URLs in fields, such as Referer, are masked
    /// like the URL. Secrets in the path and in the content are shown.
    public struct CurlCommand: Sendable, Hashable, CustomStringConvertible {
        /// The program and its arguments, without quoting for a shell.
        public internal(set) var arguments: [String]
        /// True if the command does the same as the request. False if secrets are masked, if trailers or fields with
        /// invalid names are left out, or if you must supply the content on the standard input (a stream, or bytes
        /// beyond the limit). Also false if `***` replaces a text that a terminal would not show as it is, such as a
        /// text with control characters.
        public internal(set) var isComplete: Bool
        /// Shell commands that print the content, to be piped to curl. Empty if no commands are needed or possible.
        var inputs: [String] = []

        /// The command for a shell, in several lines.
        public var description: String {
            var text = "curl"
            var expectsValue = false
            for (index, argument) in arguments.enumerated().dropFirst() {
                let isFlag = argument.hasPrefix("--") && !expectsValue
                let startsLine = isFlag && Self.valued.contains(argument) || index == arguments.count - 1
                text += (startsLine ? " \\\n  " : " ") + ShellQuoting.word(argument)
                expectsValue = isFlag && Self.valued.contains(argument)
            }
            switch inputs.count {
            case 0: return text
            case 1: return "\(inputs[0]) | \(text)"
            default: return "{ \(inputs.joined(separator: "; ")); } | \(text)"
            }
        }

        /// The curl options that these commands use with a value.
        static let valued: Set<String> = ["--request", "--header", "--data-raw", "--data-binary", "--unix-socket"]
    }

    /// Returns the request as a curl(1) command, without a client's defaults;
    /// ``curlCommand(as:showingSecrets:inlining:)`` adds those.
    ///
    /// - Parameters:
    ///   - showingSecrets: True to show credentials. Default: false.
    ///   - limit: The maximum number of content bytes to show, at most 96 KiB. Longer content must come from the
    ///     standard input. Default: 16 KiB.
    public func curlCommand(showingSecrets: Bool = false, inlining limit: Int = 16 << 10) -> CurlCommand {
        CurlComposer(self, showsSecrets: showingSecrets, limit: limit).command
    }
}

/// Composes a ``OutgoingRequest/CurlCommand``.
struct CurlComposer {
    private let request: OutgoingRequest
    private let showsSecrets: Bool
    private let limit: Int
    private(set) var command = OutgoingRequest.CurlCommand(
        arguments: ["curl", "--globoff", "--path-as-is", "--http1.1"], isComplete: true)

    private static var mask: SecretItemMask { SecretItemMask(mark: "***") }

    /// The largest content in one argument, well below the 128 KiB that Linux allows for each argument (execve(2)).
    private static let largestArgument = 96 << 10

    /// - Parameter decodes: True if the library would decode the response.
    init(_ request: OutgoingRequest, showsSecrets: Bool, limit: Int, decodes: Bool = false) {
        self.request = request
        self.showsSecrets = showsSecrets
        self.limit = min(limit, Self.largestArgument)
        if decodes { command.arguments.append("--compressed") }
        addMethod()
        addFields()
        addContent()
        if let path = request.options.unixSocketPath { add("--unix-socket", visible(path)) }
        addTarget()
    }

    private mutating func add(_ option: String, _ value: String) { command.arguments += [option, value] }

    private var hasContent: Bool { request.body.length != 0 }

    private mutating func addMethod() {
        let method = request.method.rawValue
        if method == "HEAD", !hasContent {
            // With `--request HEAD` curl would wait for content.
            command.arguments.append("--head")
        } else if method != "GET" || hasContent {
            add("--request", method)
        }
    }

    // MARK: Fields

    /// Fields that the library writes itself, or drops; see ``/Sockeye/OutgoingRequest/headers``.
    private static let framing: Set<Headers.Name> = [
        "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection", "Upgrade", "TE",
        "Expect",
        "Proxy-Authorization",
    ]

    private mutating func addFields() {
        var headers = request.headers
        // TRACE carries no credentials (RFC 9110 9.3.8).
        let isTrace = request.method.rawValue == "TRACE"
        if let credential = request.url.credential, !isTrace, !headers.contains(.authorization),
            let authorization = try? credential.checkedAuthorization
        {
            headers.append(.authorization, authorization)
        }
        for field in headers where !Self.framing.contains(field.name) {
            // The library refuses to send a field with an invalid name. With CR LF in the name, curl would send two
            // fields.
            guard field.name.isValid else {
                command.isComplete = false
                continue
            }
            let value = visible(shown(field.value, of: field.name))
            if value != field.value { command.isComplete = false }
            addField(field.name.description, value)
        }
        if request.options.closesConnection || headers.asksToClose { addField("Connection", "close") }
        guard hasContent else { return }
        // Override curl's own defaults for Content-Type, Transfer-Encoding and Expect.
        if !headers.contains(.contentType) { add("--header", "Content-Type:") }
        if request.body.length == nil { addField("Transfer-Encoding", "chunked") }
        if request.options.expectContinue != nil || headers.asksForContinue {
            addField("Expect", "100-continue")
        } else if request.body.length ?? .max >= 1024 {
            add("--header", "Expect:")
        }
    }

    /// Returns the value of a field. Secrets in it are masked unless the caller asked to show secrets.
    private func shown(_ value: String, of name: Headers.Name) -> String {
        if showsSecrets { return value }
        return name.isSecret ? "***" : Self.mask.masking(value, of: name)
    }

    /// Returns the text, or `***` if the text has characters that control a terminal. With such characters, the command
    /// on the screen could differ from the command that the shell runs.
    private mutating func visible(_ text: String) -> String {
        guard !ShellQuoting.isShown(text) else { return text }
        command.isComplete = false
        return "***"
    }

    /// Adds a field. An empty value needs a semicolon after the name: with a colon curl would omit the field.
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
            if bytes.count <= limit, let text = ShellQuoting.text(of: bytes) { return add("--data-raw", text) }
            return addInput([.bytes(bytes)])
        }
        let pieces = request.body.outline?.pieces ?? [.unknown(length: request.body.length)]
        if pieces.count == 1, case .file(let path, _) = pieces[0] {
            // `@-` means the standard input.
            return add("--data-binary", "@" + (path == "-" ? "./-" : visible(path)))
        }
        addInput(pieces)
    }

    /// Lets curl read the content from its standard input, and adds the commands that print the content. The commands
    /// are left out if the content has more bytes in memory than the limit, or a piece that no command can print.
    private mutating func addInput(_ pieces: [BodyOutline.Piece]) {
        add("--data-binary", "@-")
        var (inputs, shown): ([String], Int) = ([], 0)
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                shown += bytes.count
                if shown <= limit { inputs.append(ShellQuoting.printing(bytes)) }
            case .file(let path, _):
                let name = visible(path)
                inputs.append("cat " + ShellQuoting.word(name.hasPrefix("-") ? "./" + name : name))
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

    /// Adds the URL without user information, which is sent in a field, and without the fragment, which is not sent.
    private mutating func addTarget() {
        let target = String(Substring(request.url.absoluteForm))
        let shown = showsSecrets ? target : Self.mask.masking(url: target)
        if shown != target { command.isComplete = false }
        command.arguments.append(shown)
    }
}
