import SockeyeCore
import SockeyeXML

/// XML documents: a document that was read and written must read as the same document.
enum XMLTargets {
    static let documents: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let options = XMLDocument.Options(keepsWhitespace: input.flag(), mergesCDATA: input.flag())
        let charset = [nil, nil, "utf-8", "iso-8859-1", "utf-16", "shift_jis", "x-none"][input.choice(below: 7)]
        let document: XMLDocument
        do throws(XMLError) {
            document = try XMLDocument(parsing: Bytes(input.bytes), charset: charset, options: options)
        } catch {
            require(error.line >= 1 && error.column >= 1 && error.description.utf8.count < 2000, "\(error)")
            return
        }
        // Writing changes the blanks between comments and processing instructions, so only the roots are compared.
        guard options.keepsWhitespace, options.mergesCDATA else { return }
        let text = document.serialized()
        guard let again = try? XMLDocument(parsing: Bytes(text), options: options) else {
            fatalError("a written document cannot be read: \(text.debugDescription)")
        }
        require(again.root == document.root, "\(text.debugDescription) changed by writing and reading")
    }
}
