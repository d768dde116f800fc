import Sockeye

/// The manual page, made from ArgumentParser's description of the command (`--experimental-dump-help`) and the table of
/// exit statuses. It uses the `man` macros, which every `man` understands.
package struct ManualPage: Sendable {
    private let command: JSONValue

    /// - Parameter help: The output of `--experimental-dump-help`, version 0.
    package init(help: String) throws {
        guard let command = try JSONValue(parsing: help)["command"] else {
            throw UsageFault("the dump of the help has no command")
        }
        self.command = command
    }

    /// Returns the page.
    ///
    /// - Parameter date: The date in the footer, such as `2026-01-31`.
    package func text(date: String) -> String {
        var page = Roff()
        page.line(".TH SOCKEYE 1 \(Roff.quoted(date)) sockeye \"User Commands\"")
        page.section("NAME")
        page.text("sockeye \\- " + Roff.escaped(Self.string(command, "abstract")))
        page.section("SYNOPSIS")
        let others = subcommands.filter { $0["commandName"] != command["defaultSubcommand"] }
        for line in ["[METHOD] URL [ITEM...] [OPTION...]"] + others.map(Self.usage) {
            page.line(".B sockeye")
            page.text(Roff.escaped(line))
            page.line(".br")
        }
        page.section("DESCRIPTION")
        page.paragraphs(Self.string(command, "discussion"))
        for subcommand in subcommands { describe(subcommand, in: &page) }
        page.section("EXIT STATUS")
        page.text("curl's numbers where it has one.")
        for status in ExitStatus.all { page.item("\(status.code)", status.meaning) }
        page.section("ENVIRONMENT")
        for (name, text) in Self.environment { page.item(name, text) }
        page.section("SEE ALSO")
        page.text(".BR curl (1)")
        return page.output
    }

    private static let environment = [
        ("http_proxy, https_proxy, all_proxy, no_proxy", "Proxies, unless `--proxy` or `--no-proxy` is given."),
        ("NO_COLOR", "Set to anything, it turns colours off that nobody has asked for."),
        ("LC_ALL, LC_CTYPE, LANG", "Bars are drawn of blocks where the character set is UTF-8, else of ASCII."),
    ]

    /// The subcommands that are shown, without `help`.
    private var subcommands: [JSONValue] {
        (command["subcommands"]?.array ?? []).filter {
            $0["shouldDisplay"]?.bool != false && Self.string($0, "commandName") != "help"
        }
    }

    private static func usage(_ command: JSONValue) -> String {
        let positionals = (command["arguments"]?.array ?? []).filter { string($0, "kind") == "positional" }
        let names = positionals.map { argument -> String in
            let name = string(argument, "valueName").uppercased()
            return argument["isRepeating"]?.bool == true ? "\(name)..." : name
        }
        return ([string(command, "commandName")] + names + ["[OPTION...]"]).joined(separator: " ")
    }

    private func describe(_ command: JSONValue, in page: inout Roff) {
        page.section("sockeye \(Self.string(command, "commandName"))".uppercased())
        page.text(Roff.escaped(Self.string(command, "abstract")))
        page.paragraphs(Self.string(command, "discussion"))
        var title: String?
        for argument in command["arguments"]?.array ?? [] where argument["shouldDisplay"]?.bool != false {
            let section = argument["sectionTitle"]?.string
            if section != title, let section { page.line(".SS \(Roff.quoted(section))") }
            title = section
            page.item(Self.synopsis(argument), Self.string(argument, "abstract"))
        }
    }

    /// Returns the synopsis of an argument, such as `-o, --output FILE`.
    private static func synopsis(_ argument: JSONValue) -> String {
        let value = string(argument, "valueName").uppercased()
        guard string(argument, "kind") != "positional" else { return value }
        let names = (argument["names"]?.array ?? []).map { name in
            (string(name, "kind") == "long" ? "--" : "-") + string(name, "name")
        }
        let joined = names.sorted { $0.count < $1.count }.joined(separator: ", ")
        return string(argument, "kind") == "option" ? "\(joined) \(value)" : joined
    }

    private static func string(_ value: JSONValue, _ key: String) -> String { value[key]?.string ?? "" }
}
