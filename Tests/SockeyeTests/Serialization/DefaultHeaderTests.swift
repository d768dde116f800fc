import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Default headers")
struct DefaultHeaderTests {
    @Test(
        "the languages of the environment become a list with quality values",
        arguments: [
            (["LANG": "en_US.UTF-8"], "en-US;q=1"), (["LANG": "de_DE@euro"], "de-DE;q=1"),
            (["LANG": "sr_RS.UTF-8@latin"], "sr-Latn-RS;q=1"), (["LANG": "eo"], "eo;q=1"),
            (["LANG": "en_US", "LC_ALL": "fr_FR"], "fr-FR;q=1"),
            (["LANG": "en_US", "LC_MESSAGES": "it_IT"], "it-IT;q=1"),
            (["LANG": "en_US", "LC_ALL": ""], "en-US;q=1"),
            (["LANG": "de_AT", "LANGUAGE": "de_AT:de:en"], "de-AT;q=1, de;q=0.9, en;q=0.8"),
            (
                ["LANG": "aa", "LANGUAGE": "bb:cc:dd:ee:ff:gg:hh"],
                "bb;q=1, cc;q=0.9, dd;q=0.8, ee;q=0.7, ff;q=0.6, gg;q=0.5"
            ),
            (["LANG": "C"], nil), (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil), ([:], nil),
            (["LANGUAGE": "de"], nil), (["LC_ALL": "C", "LANGUAGE": "de"], nil),
            (["LANG": "en_US\r\nX-Injected: 1"], nil), (["LANG": "../../etc"], nil),
            (["LANG": "en", "LANGUAGE": "a\r\nb:::de"], "de;q=1, en;q=0.9"),
        ] as [([String: String], String?)])
    func acceptLanguage(environment: [String: String], expected: String?) {
        #expect(AcceptLanguage(environment: EnvironmentVariables { environment[$0] }).fieldValue == expected)
    }

    @Test("User-Agent has product, version and system, without characters that would break the field")
    func userAgent() {
        let plain = UserAgent(product: "Mirror", version: "1.2").fieldValue
        #expect(plain.hasPrefix("Mirror/1.2 (Linux "))
        #expect(plain.hasSuffix(")"))
        #expect(UserAgent(product: "Spiegel\r\nX: ü", version: nil).fieldValue.hasPrefix("SpiegelXu (Linux "))
        #expect(UserAgent(product: "日本", version: nil).fieldValue.hasPrefix("sockeye (Linux "))
        #expect(!UserAgent(product: nil, version: nil).fieldValue.hasPrefix(" "))
    }

    @Test(
        "a product name beyond ASCII is transliterated as AFNetworking does",
        arguments: [
            ("Müller", "Muller"), ("Mu\u{308}ller", "Muller"), ("Straße", "Strasse"), ("Smørrebrød", "Smorrebrod"),
            ("Ærø", "AEro"), ("Łódź", "Lodz"), ("Čeština", "Cestina"), ("İstanbul", "Istanbul"), ("Αθήνα", "Athena"),
            ("Щука", "Suka"), ("Київ", "Kiiv"), ("naïve-app_1.0", "naive-app_1.0"), ("日本x", "x"),
        ])
    func transliteration(name: String, expected: String) {
        #expect(UserAgent(product: name, version: nil).fieldValue.hasPrefix("\(expected) (Linux "))
    }

    @Test("the default fields have product and version in User-Agent")
    func headers() {
        let headers = Headers.defaults(product: "Mirror", version: "1")
        #expect(headers[.userAgent]?.hasPrefix("Mirror/1 (") == true)
    }
}
