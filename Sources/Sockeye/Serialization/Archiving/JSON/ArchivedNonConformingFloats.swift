/// How numbers are written that JSON does not have.
struct ArchivedNonConformingFloats: Codable {
    var positive: String
    var negative: String
    var nan: String
}
