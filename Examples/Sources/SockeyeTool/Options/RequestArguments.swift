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

    @Option(name: [.customShort("X"), .long, .customLong("request")], help: "The method.")
    var method: String?

    @Option(name: [.customShort("H"), .long], help: "A field of the request, such as 'Accept: text/html'.")
    var header: [String] = []

    @Option(help: "A parameter of the query, such as page=2.")
    var query: [String] = []

    @Option(
        name: [.short, .long, .customLong("data-raw"), .customLong("data-binary")], parsing: .unconditionalSingleValue,
        help: "What is sent: text, @FILE, or @- for standard input. Several are joined by '&'.")
    var data: [String] = []

    @Option(
        parsing: .unconditionalSingleValue, help: "A field of a form to send, name=value, which is percent-encoded.")
    var dataUrlencode: [String] = []

    @Option(parsing: .unconditional, help: "JSON to send, checked before it goes out.")
    var dataJSON: String?

    @Option(help: "What Content-Type says. Default for --data: application/x-www-form-urlencoded.")
    var contentType: String?

    @Option(
        name: [.customShort("F"), .long],
        help: "A part of a multipart form: name=text, or name=@FILE, with ;type= and ;filename= if needed.")
    var form: [String] = []

    @Option(name: [.customShort("T"), .long], help: "A file to send as it is, by PUT.", completion: .file())
    var uploadFile: String?

    @Flag(name: [.customShort("G"), .long], help: "Sends the data in the query, by GET.")
    var get = false

    @Flag(name: [.customShort("I"), .long], help: "Asks for the head alone, by HEAD, and prints it.")
    var head = false

    @Option(name: [.customShort("e"), .long], help: "What Referer says.")
    var referer: String?

    @Flag(help: "Undoes content codings, as it does anyway.")
    var compressed = false

    /// Returns the request as a value.
    func draft() throws -> RequestDraft {
        var arguments = RequestDraft.Arguments()
        arguments.positionals = positionals
        arguments.method = method
        arguments.fields = header + (referer.map { ["Referer: \($0)"] } ?? [])
        arguments.query = query
        arguments.data = data.map { .text($0) } + dataUrlencode.map { .encoded($0) }
        arguments.json = dataJSON
        arguments.form = form
        arguments.file = uploadFile
        arguments.contentType = contentType
        arguments.asksForHead = head
        arguments.sendsDataInQuery = get
        return try RequestDraft(arguments)
    }
}
