import SockeyeCore

/// The tag of connection ids (a phantom type).
enum ConnectionKind {}
/// The tag of waiter ids (a phantom type).
enum WaiterKind {}
/// The tag of dial ids (a phantom type).
enum DialKind {}
/// The tag of the ids of origin records (a phantom type). ``PoolMachine`` has one such record per ``PoolMachineKey``.
enum OriginKind {}

typealias ConnectionID = SlotID<ConnectionKind>
typealias WaiterID = SlotID<WaiterKind>
typealias DialID = SlotID<DialKind>
