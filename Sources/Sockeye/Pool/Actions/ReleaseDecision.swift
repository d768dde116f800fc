extension PoolMachine {
    /// What becomes of a connection that nobody uses any more.
    package enum ReleaseDecision: Sendable {
        /// Nothing, the report being about something gone.
        case none
        /// It stays open, idle: watch it, and report `idleClosed` if the peer ends it. Close the other one, if any,
        /// which is one too many.
        case idle(ConnectionID, closing: Closing?)
        /// Resume this waiter with it.
        case serve(WaiterID, Lease)
        /// Close it, and start the dial that its place allows.
        case close(Closing, dial: Dial?)
    }
}
