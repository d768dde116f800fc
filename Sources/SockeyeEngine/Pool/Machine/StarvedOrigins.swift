import SockeyeCore

/// The origins for which only the pool's total limit prevents a new connection, the longest-waiting one first.
///
/// An indexed binary heap: the position of each origin is recorded, so that an origin is moved or removed without a
/// search. This is needed when waiters of the origin get a released connection or give up. The heap is empty unless the
/// total limit is reached.
struct StarvedOrigins {
    struct Entry {
        /// The sequence number of the first waiter without a dial (a connection being opened); lower means longer
        /// waiting.
        var sequence: UInt64
        var origin: Int
    }

    private var heap: [Entry] = []
    /// The position of each origin in the heap; -1 if absent.
    private var places: [Int32] = []

    var isEmpty: Bool { heap.isEmpty }
    var first: Entry? { heap.first }

    /// Adds the origin, moves it, or removes it if `sequence` is nil.
    mutating func update(_ origin: Int, sequence: UInt64?) {
        let place = origin < places.count ? Int(places[origin]) : -1
        switch (place >= 0, sequence) {
        case (false, nil):
            break
        case (false, let sequence?):
            while places.count <= origin { places.append(-1) }
            heap.append(Entry(sequence: sequence, origin: origin))
            places[origin] = Int32(truncatingIfNeeded: heap.count - 1)
            rise(from: heap.count - 1)
        case (true, let sequence?):
            guard heap[place].sequence != sequence else { return }
            heap[place].sequence = sequence
            restore(at: place)
        case (true, nil):
            remove(at: place)
        }
    }

    private mutating func remove(at place: Int) {
        let last = heap.count - 1
        if place != last { swap(place, last) }
        places[heap.removeLast().origin] = -1
        if place != last { restore(at: place) }
        if heap.isEmpty && places.count > SlotMemory.kept { places = [] }
    }

    private mutating func restore(at place: Int) {
        rise(from: place)
        sink(from: place)
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].sequence < heap[parent].sequence else { return }
            swap(place, parent)
            place = parent
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2) where child < heap.count {
                if heap[child].sequence < heap[least].sequence { least = child }
            }
            guard least != place else { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        places[heap[left].origin] = Int32(truncatingIfNeeded: left)
        places[heap[right].origin] = Int32(truncatingIfNeeded: right)
    }
}
