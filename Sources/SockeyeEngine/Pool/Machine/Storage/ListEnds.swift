/// The two ends of a list whose links live in a `ListLinks`.
struct ListEnds {
    static let none: Int32 = -1

    var firstLink = ListEnds.none
    var lastLink = ListEnds.none

    var isEmpty: Bool { firstLink < 0 }
    var first: Int? { firstLink < 0 ? nil : Int(firstLink) }
    var last: Int? { lastLink < 0 ? nil : Int(lastLink) }
}
