import SockeyeCore
import SockeyeXML

/// XML documents: what is read is written so that it reads the same.
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
        // Blanks between comments and the like are written anew, so they must not count.
        guard options.keepsWhitespace, options.mergesCDATA else { return }
        let text = document.serialized()
        guard let again = try? XMLDocument(parsing: Bytes(text), options: options) else {
            fatalError("what was written does not read: \(text.debugDescription)")
        }
        require(again.root == document.root, "\(text.debugDescription) reads as another document")
    }
}
