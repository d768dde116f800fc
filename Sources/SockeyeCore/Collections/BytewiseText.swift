/// A text that is compared byte by byte, such as a path in a key.
///
/// `==` of strings also returns true for different bytes that are canonically equivalent in Unicode, such as the letter
/// é as one scalar or as two. Linux opens different files and sockets for such paths.
package struct BytewiseText: Sendable, Hashable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: BytewiseText, right: BytewiseText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
