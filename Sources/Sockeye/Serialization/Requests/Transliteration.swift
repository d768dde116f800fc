/// A letter-by-letter transliteration of Latin, Greek and Cyrillic to ASCII, after ICU's `Any-Latin; Latin-ASCII`.
///
/// AFNetworking converts the product name in User-Agent by these ICU rules: `Müller` becomes `Muller`. This type uses a
/// table, because FoundationEssentials has no ICU. The table ignores the context of a letter, which ICU considers for
/// some Greek letters.
enum Transliteration {
    /// Returns the text with ASCII for each letter of the table, and without other characters beyond ASCII. Combining
    /// marks are removed, so that a letter of the table and its decomposed form give the same result. The exception is
    /// Й: it gives J, and its decomposed form gives I.
    static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var output = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII { output.unicodeScalars.append(scalar) } else { output += letters[scalar] ?? "" }
        }
        return output
    }

    private static let letters: [Unicode.Scalar: String] = {
        var letters: [Unicode.Scalar: String] = [:]
        for (ascii, others) in table {
            for scalar in others.unicodeScalars { letters[scalar] = ascii }
        }
        return letters
    }()

    /// Each ASCII text with the letters that it replaces: Latin-1, Latin Extended-A, Greek, Cyrillic.
    private static let table: [(String, String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄΑΆАЯ"), ("a", "àáâãäåāăąαάая"), ("AE", "Æ"), ("ae", "æ"), ("B", "ΒБ"), ("b", "βб"),
        ("C", "ÇĆĈĊČЦЧ"), ("c", "çćĉċčцч"), ("CH", "Χ"), ("ch", "χ"), ("D", "ÐĎĐΔДЂ"), ("d", "ðďđδдђ"),
        ("E", "ÈÉÊËĒĔĖĘĚΕΈΗΉЕЁЭЄ"), ("e", "èéêëēĕėęěεέηήеёэє"), ("F", "Ф"), ("f", "ф"), ("G", "ĜĞĠĢΓГҐ"),
        ("g", "ĝğġģγгґ"),
        ("H", "ĤĦХ"), ("h", "ĥħх"), ("I", "ÌÍÎÏĨĪĬĮİΙΊΪИІЇ"), ("i", "ìíîïĩīĭįıιίϊΐиії"), ("IJ", "Ĳ"), ("ij", "ĳ"),
        ("J", "ĴЙЈ"), ("j", "ĵйј"), ("K", "ĶΚК"), ("k", "ķκк"), ("L", "ĹĻĽĿŁΛЛЉ"), ("l", "ĺļľŀłλлљ"),
        ("M", "ΜМ"), ("m", "μмµ"), ("N", "ÑŃŅŇŊΝНЊ"), ("n", "ñńņňŋνнњ"),
        ("O", "ÒÓÔÕÖØŌŎŐΟΌΩΏО"), ("o", "òóôõöøōŏőοόωώо"), ("OE", "Œ"), ("oe", "œ"), ("P", "ΠП"), ("p", "πп"),
        ("PH", "Φ"),
        ("ph", "φ"), ("PS", "Ψ"), ("ps", "ψ"), ("q", "ĸ"), ("R", "ŔŖŘΡР"), ("r", "ŕŗřρр"), ("S", "ŚŜŞŠȘΣСШЩ"),
        ("s", "śŝşšșſσςсшщ"), ("SS", "ẞ"), ("ss", "ß"), ("T", "ŢŤŦȚΤТ"), ("t", "ţťŧțτт"), ("TH", "ÞΘ"), ("th", "þθ"),
        ("U", "ÙÚÛÜŨŪŬŮŰŲУЮ"), ("u", "ùúûüũūŭůűųую"), ("V", "В"), ("v", "в"), ("W", "Ŵ"), ("w", "ŵ"), ("X", "Ξ"),
        ("x", "ξ"),
        ("Y", "ÝŶŸΥΎΫЫ"), ("y", "ýÿŷυύϋΰы"), ("Z", "ŹŻŽΖЗЖ"), ("z", "źżžζзж"),
    ]
}
