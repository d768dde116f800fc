extension PoolMachine {
    /// What becomes of a connection that nobody uses any more.
    package enum ReleaseDecision: Sendable {
        /// It stays open, idle. (Or nothing is to be done, the report being about something gone.)
        case none
        /// Resume this waiter with it.
        case serve(WaiterID, Lease)
        /// Close this connection, which need not be the one released; start the dial that its place allows.
        case close(Closing, dial: Dial?)
    }
}
