/// A tag of an XML property list; attributes do not matter.
struct XMLPropertyListTag {
    let name: String
    /// `</name>`
    let isEnd: Bool
    /// `<name/>`
    let isClosed: Bool
}
