/// A request that waits for a connection.
struct WaiterRecord {
    let origin: Int
    /// The order of arrival over all origins.
    let sequence: UInt64
    /// Takes only a newly dialled connection.
    let fresh: Bool
    /// A dial under way is reckoned to be for this waiter.
    var covered = false
}
