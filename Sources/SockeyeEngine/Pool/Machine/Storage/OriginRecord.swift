/// What the pool knows of one key: its idle connections, its queue and its share of the limits.
///
/// The queue is one list in order of arrival. Its first `covered` waiters each have a dial under way (dials are not
/// tied to waiters: whatever gets ready first serves the oldest); `firstUncovered` is the one after them. A covered
/// waiter stays covered until it leaves, because a dial only ends together with the head of the queue.
struct OriginRecord {
    /// Oldest first; the last is lent next.
    var idle = ListEnds()
    var queue = ListEnds()
    /// The waiters of the queue that may take a used connection.
    var ordinary = ListEnds()
    var firstUncovered: Int?

    var idleCount = 0
    var leased = 0
    var dialling = 0
    var waiting = 0
    var covered = 0

    /// What counts against the limits.
    var connections: Int { idleCount + leased + dialling }
    /// Dials under way that nobody waits for, since their requesters were served otherwise or gave up.
    var surplusDials: Int { dialling - covered }
    var isUnused: Bool { connections == 0 && waiting == 0 }
}
