/// Links of intrusive doubly linked lists over the indices of a table: any member leaves in O(1), nothing is allocated.
///
/// One value serves any number of lists as long as an index is in at most one of them at a time.
struct IntrusiveListLinks {
    private struct Link {
        var previous: Int32
        var next: Int32
    }

    private var links: [Link] = []

    func next(after index: Int) -> Int? {
        let next = links[index].next
        return next < 0 ? nil : Int(next)
    }

    func previous(before index: Int) -> Int? {
        let previous = links[index].previous
        return previous < 0 ? nil : Int(previous)
    }

    mutating func append(_ index: Int, to list: inout IntrusiveList) {
        let member = Int32(truncatingIfNeeded: index)
        while links.count <= index { links.append(Link(previous: IntrusiveList.none, next: IntrusiveList.none)) }
        links[index] = Link(previous: list.lastLink, next: IntrusiveList.none)
        if list.lastLink < 0 {
            list.firstLink = member
        } else {
            links[Int(list.lastLink)].next = member
        }
        list.lastLink = member
    }

    mutating func remove(_ index: Int, from list: inout IntrusiveList) {
        let link = links[index]
        if link.previous < 0 {
            list.firstLink = link.next
        } else {
            links[Int(link.previous)].next = link.next
        }
        if link.next < 0 {
            list.lastLink = link.previous
        } else {
            links[Int(link.next)].previous = link.previous
        }
    }

    /// Gives the memory back; for when every list over these links is empty.
    mutating func releaseMemory() {
        links = []
    }

    /// How many indices the links have room for.
    var capacity: Int { links.count }
}

/// Intrusive doubly linked list: its two ends. The links live in a `IntrusiveListLinks`.
struct IntrusiveList {
    static let none: Int32 = -1

    var firstLink = IntrusiveList.none
    var lastLink = IntrusiveList.none

    var isEmpty: Bool { firstLink < 0 }
    var first: Int? { firstLink < 0 ? nil : Int(firstLink) }
    var last: Int? { lastLink < 0 ? nil : Int(lastLink) }
}
