import ArgumentParser
import Foundation
import Sockeye
import SockeyeToolKit

/// The arguments for the request: method, URL, fields and content.
struct RequestArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The URL, with the method before it if it is another than GET or POST.",
            discussion: """
                Items may follow: name=text and name:=json become a JSON object that is sent, name==value a parameter of \
                the query, Name:value a field of the request.
                """,
            valueName: "url"))
    var positionals: [String] = []

    @Option(name: .customLong("url"), help: "A URL, as if it stood alone.")
    var urls: [String] = []

    @Option(name: [.customShort("X"), .long, .customLong("request")], help: "The method.")
    var method: String?

    @Option(
        name: [.customShort("H"), .long], parsing: .unconditionalSingleValue,
        help: "A field of the request, such as 'Accept: text/html'; 'Name:' omits it, 'Name;' sends it empty.")
    var header: [String] = []

    @Option(
        name: [.long, .customLong("url-query")], parsing: .unconditionalSingleValue,
        help: "A parameter of the query, such as page=2.")
    var query: [String] = []

    @Option(
        name: [.short, .long, .customLong("data-ascii")], parsing: .unconditionalSingleValue,
        help: "What is sent: text, @FILE, or @- for standard input. Several are joined by '&'.")
    var data: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: "Text to send as it is, also if it begins with @.")
    var dataRaw: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: "Text, or @FILE, to send without any change.")
    var dataBinary: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: "A field of a form to send, name=value or name@FILE, which is percent-encoded.")
    var dataUrlencode: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: "JSON to send as it is, or @FILE; Content-Type and Accept are application/json. Several are joined.")
    var json: [String] = []

    @Option(name: .customLong("data-json"), parsing: .unconditional, help: "JSON to send, checked before it goes out.")
    var dataJSON: String?

    @Option(help: "What Content-Type says. Default for --data: application/x-www-form-urlencoded.")
    var contentType: String?

    @Option(
        name: [.customShort("F"), .long], parsing: .unconditionalSingleValue,
        help: "A part of a multipart form: name=text, name=@FILE or name=<FILE, with ;type= and ;filename= if needed.")
    var form: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: "A part of a multipart form: name=text, whatever the text is.")
    var formString: [String] = []

    @Option(
        name: [.customShort("T"), .long],
        help: "A file to send as it is, by PUT; '-' is standard input. Its name follows a URL that ends with '/'.",
        completion: .file())
    var uploadFile: [String] = []

    @Flag(help: "Leaves standard input alone, also after a method such as POST.")
    var ignoreStdin = false

    @Flag(name: [.customShort("G"), .long], help: "Sends the data in the query, by GET.")
    var get = false

    @Flag(name: [.customShort("I"), .long], help: "Asks for the head alone, by HEAD, and prints it.")
    var head = false

    @Option(name: [.customShort("e"), .long], parsing: .unconditional, help: "What Referer says.")
    var referer: String?

    @Flag(help: "Undoes content codings, as it does anyway.")
    var compressed = false

    /// Returns the request as a value, for a command that takes one URL.
    func draft() throws -> RequestDraft { try RequestDraft(arguments()) }

    /// Returns a request for each URL.
    func drafts() throws -> [RequestDraft] { try RequestDraft.drafts(arguments()) }

    private func arguments() throws -> RequestDraft.Arguments {
        guard uploadFile.count <= 1 else { throw UsageFault("--upload-file takes one file") }
        var arguments = RequestDraft.Arguments()
        arguments.positionals = positionals
        arguments.urls = urls
        arguments.method = method
        arguments.fields = header + (referer.map { ["Referer: \($0)"] } ?? [])
        arguments.query = query
        arguments.data =
            data.map { .text($0) } + dataRaw.map { .raw($0) } + dataBinary.map { .binary($0) }
            + dataUrlencode.map { .encoded($0) }
        arguments.json = dataJSON
        arguments.jsonPieces = json
        arguments.form = try form.map { try FormPart($0) } + formString.map { try FormPart(literal: $0) }
        arguments.file = uploadFile.first
        arguments.contentType = contentType
        arguments.asksForHead = head
        arguments.sendsDataInQuery = get
        let input = StandardStreams.current.input
        arguments.hasStandardInput = !ignoreStdin && input.isContent
        arguments.read = { path in try input.content(of: path) }
        return arguments
    }
}
