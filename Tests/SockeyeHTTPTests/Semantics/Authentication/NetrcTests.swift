import SockeyeHTTP
import Testing

@Suite("The netrc file") struct NetrcTests {
    private static let text = """
        # a comment login nobody
        machine a.example login ada password l0velace   # behind it
        machine B.Example
            login bob
            account main
            password "b\\"o b\\\\\\t"
        macdef init
        machine trap login x password y

        machine c.example password only
        machine a.example login second password #2
        machine empty.example
        default login anonymous password me@example
        """

    @Test(
        "the file has a login for each machine",
        arguments: [
            ("a.example", nil, "ada", "l0velace"), ("A.EXAMPLE", nil, "ada", "l0velace"),
            ("a.example", "second", "second", "#2"), ("b.example", nil, "bob", "b\"o b\\\t"),
            ("c.example", nil, "", "only"), ("c.example", "carl", "carl", "only"),
        ])
    func logins(host: String, user: String?, login: String, password: String) throws {
        let netrc = try NetrcParser.parse(Self.text)
        #expect(netrc.credential(for: host, user: user) == .user(login, password: password))
    }

    @Test(
        "other hosts get only the default login", arguments: ["trap", "d.example", "xa.example", "empty.example", ""])
    func others(host: String) throws {
        let netrc = try NetrcParser.parse(Self.text)
        #expect(netrc.credential(for: host) == nil)
        #expect(netrc.defaultCredential() == .user("anonymous", password: "me@example"))
        #expect(netrc.credential(for: "a.example", user: "nobody") == nil)
    }

    @Test(
        "a default entry with a password hides the entries after it, as in curl",
        arguments: [
            ("default login d password p", nil, nil, "d"), ("default password p", nil, nil, ""),
            ("default login d", nil, "a", "d"), ("default", nil, "a", nil),
            // The first default entry belongs to another user, the second to the requested user.
            ("default login d password p", "a", "a", nil), ("default login a password p", "a", nil, "a"),
            ("machine a.example login b password p default login d password p", nil, "b", "d"),
        ] as [(String, String?, String?, String?)])
    func afterDefault(start: String, user: String?, own: String?, usual: String?) throws {
        let netrc = try NetrcParser.parse(start + "\nmachine a.example login a password p")
        #expect(netrc.credential(for: "a.example", user: user)?.user == own)
        #expect(netrc.defaultCredential(user: user)?.user == usual)
    }

    @Test("the file may begin with a byte order mark")
    func byteOrderMark() throws {
        let netrc = try NetrcParser.parse("\u{FEFF}machine a login ada password l\r\n")
        #expect(netrc.credential(for: "a") == .user("ada", password: "l"))
    }

    @Test("if an entry repeats a keyword, the last value counts, as in curl's case 478")
    func repeated() throws {
        let text =
            "machine g\npassword weird\npassword firstone\nlogin daniel\n\nmachine g\n\nmachine g\nlogin debbie\n"
        let netrc = try NetrcParser.parse(text + "machine g\npassword weird\npassword \"second\\r\"\nlogin debbie\n")
        #expect(netrc.credential(for: "g") == .user("daniel", password: "firstone"))
        #expect(netrc.credential(for: "g", user: "debbie") == .user("debbie", password: ""))
    }

    @Test(
        "a file that ends within an entry is parsed without a fault",
        arguments: ["", "machine", "machine a login", "machine a password", "login x", "macdef", "default"])
    func cut(text: String) throws {
        let netrc = try NetrcParser.parse(text)
        #expect(netrc.defaultCredential() == nil)
        #expect(netrc.credential(for: "b") == nil)
    }

    @Test("a file with an unclosed quote is refused, and so is one that is too large")
    func refused() {
        #expect(throws: NetrcParser.Fault.unterminatedQuote) { try NetrcParser.parse("machine a login \"b") }
        #expect(throws: NetrcParser.Fault.unterminatedQuote) { try NetrcParser.parse("machine a login \"b\\") }
        #expect(throws: NetrcParser.Fault.tooLarge) {
            try NetrcParser.parse(String(repeating: " ", count: NetrcParser.maximumSize + 1))
        }
        #expect(throws: NetrcParser.Fault.tooManyEntries) {
            try NetrcParser.parse(String(repeating: "machine a\n", count: NetrcParser.maximumEntries + 1))
        }
    }
}
