/// What the head of a response tells about which bytes of which version follow it.
package struct PartialAnswer: Sendable {
    package var status: Int
    /// The values of Content-Range.
    package var contentRange: [String] = []
    /// The values of ETag.
    package var eTags: [String] = []
    /// The values of Last-Modified.
    package var lastModified: [String] = []
    /// The value of Date.
    package var date: String?
    /// How many bytes follow, where the head tells.
    package var length: Int?
    /// Whether the content is coded, or was and has been decoded: positions in it are then not those in what is kept.
    package var isCoded = false
    /// Whether several parts follow in one body (RFC 9110 14.6).
    package var hasSeveralParts = false
    /// What Accept-Ranges says.
    package var support = RangeSupport.unknown

    package init(status: Int) {
        self.status = status
    }

    var validator: StrongValidator? {
        isCoded || support == .none
            ? nil : StrongValidator(eTags: eTags, lastModified: lastModified, date: date)
    }
}
