extension PoolMachine {
    package typealias LeaseDecision = PoolLeaseDecision<Key, Connection>
    package typealias ReleaseDecision = PoolReleaseDecision<Key, Connection>
    package typealias DialFailureDecision = PoolDialFailureDecision<Key>
    package typealias ExhaustionDecision = PoolExhaustionDecision<Key, Connection>
    package typealias ShutdownDecision = PoolShutdownDecision<Connection>
    package typealias Lease = PoolLease<Connection>
    package typealias Closing = PoolClosing<Connection>
    package typealias Dial = PoolDial<Key>
}
