import ArgumentParser
import Dispatch
import Glibc
import SockeyeToolKit

/// `sockeye`: an HTTP client for the command line, with a syntax similar to curl's and httpie's. Its decisions are
/// values in SockeyeToolKit.
///
/// ```console
/// $ swift run --package-path Examples sockeye https://example.com/ --timing
/// $ … sockeye post http://127.0.0.1:8080/items name=coast depth:=12
/// $ … sockeye http://127.0.0.1:8080/photos --form photo=@coast.jpeg --form title=Coast
/// $ … sockeye download https://example.com/big.iso
/// ```
struct SockeyeTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sockeye", abstract: "An HTTP client for the command line.",
        usage: """
            sockeye [METHOD] URL [ITEM...] [OPTION...]
            sockeye download|bench|trace URL [OPTION...]
            """,
        discussion: """
            Without a subcommand it makes a request and prints the content of the response:

              sockeye https://example.com/
              sockeye post https://example.com/items name=coast depth:=12
              sockeye https://example.com/form --data 'a=1&b=2'
              sockeye download https://example.com/big.iso

            The usual options:

              -X, --method NAME       the method; also before the URL: 'sockeye put URL'
              -H, --header FIELD      a field of the request, 'Name: value'
              -d, --data TEXT         a form or other content; @FILE reads a file
              --json TEXT             JSON as content
              -F, --form PART         a part of a multipart form: name=text, name=@FILE
              -T, --upload-file FILE  a file as content, by PUT
              -G, --get               puts --data into the query
              -I, --head              asks for the head alone
              -i, --include           prints the head, too
              -v, --verbose           shows the fields of requests and responses
              -o, --output FILE       writes the content to a file
              -O, --remote-name       the same, with the last name in the URL
              -C, --continue-at -     goes on with the output file
              -w, --write-out FORMAT  prints '%{http_code}', '%{time_total}' and others
              -s, --silent            no bars and errors; with -S errors
              -f, --fail              fails if the status is 400 or above
              -u, --user NAME:PASS    a user name and password
              -b, --cookie COOKIES    cookies, or a file of them; -c FILE keeps them
              -x, --proxy URL         a proxy
              -k, --insecure          trusts any certificate
              -m, --max-time SECONDS  a deadline for the whole call
              --retry NUMBER          repeats calls that failed
              --timing                prints the time of each phase

            'sockeye help fetch' lists all options.
            """,
        version: "0.9.0",
        subcommands: [
            FetchCommand.self, DownloadCommand.self, BenchCommand.self, TraceCommand.self, ManualCommand.self,
        ],
        defaultSubcommand: FetchCommand.self)

    /// Overwrites secrets in the memory that other users see as the command line of this process.
    fileprivate static func hideSecrets(_ words: [String]) {
        for place in SecretWords.places(words) where place.word + 1 < Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[place.word + 1], place.offset <= strlen(word) else { continue }
            let secret = word + place.offset
            memset(secret, Int32(UInt8(ascii: "*")), strlen(secret))
        }
    }

    /// Runs a command line, and returns its exit status.
    static func run(_ words: [String]) async -> Int32 {
        do {
            var command = try await asyncParseAsRoot(CommandWords.separated(words))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.code
        } catch {
            return tell(error)
        }
    }

    /// Reports an error, and returns its exit status.
    private static func tell(_ error: any Error) -> Int32 {
        switch error {
        case let failure as CommandFailure:
            failure.tell()
            return failure.report.status.code
        case let fault as UsageFault:
            Terminal.error.tell("sockeye: \(fault)\nSee 'sockeye --help'.")
            return ExitStatus.usage.code
        case let file as UnreadableFile:
            Terminal.error.tell("sockeye: \(file)")
            return ExitStatus.read.code
        case is OutputClosed: return ExitStatus.write.code
        case let code as ExitCode: return code.rawValue
        default: return tellParser(error)
        }
    }

    /// Reports an error of ArgumentParser: a request for help, or a wrong command line, for which curl's status is 2.
    private static func tellParser(_ error: any Error) -> Int32 {
        let message = fullMessage(for: error)
        guard exitCode(for: error) == .validationFailure else {
            let isSuccess = exitCode(for: error) == .success
            (isSuccess ? Terminal.output : Terminal.error).tell(message)
            return exitCode(for: error).rawValue
        }
        Terminal.error.tell(message)
        let option = message.firstMatch(of: /'(--?[^'= ]+)/).map { String($0.output.1) }
        if let advice = option.flatMap({ ForeignOption.advice($0) }) { Terminal.error.tell("hint: \(advice)") }
        return ExitStatus.usage.code
    }
}

/// The start of the process. Its `main` is synchronous, because Swift opens descriptors before an asynchronous one.
@main
enum SockeyeProcess {
    static func main() {
        StandardStreams.openClosed()
        let words = Array(CommandLine.arguments.dropFirst())
        SockeyeTool.hideSecrets(words)
        Task { Glibc.exit(await SockeyeTool.run(words)) }
        dispatchMain()
    }
}
