import SockeyeCore

/// The tag of connection ids (a phantom type).
enum ConnectionKind {}
/// The tag of waiter ids (a phantom type).
enum WaiterKind {}
/// The tag of dial ids (a phantom type).
enum DialKind {}
/// The tag of the ids of origin records (a phantom type). ``PoolMachine`` keeps such a record for each
/// ``PoolMachineKey`` that has connections, dials or waiters.
enum OriginKind {}

typealias ConnectionID = SlotID<ConnectionKind>
typealias WaiterID = SlotID<WaiterKind>
typealias DialID = SlotID<DialKind>
