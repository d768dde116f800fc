package import SockeyeCore

/// The tag of connection ids (a phantom type).
package enum ConnectionKind {}
/// The tag of waiter ids (a phantom type).
package enum WaiterKind {}
/// The tag of dial ids (a phantom type).
package enum DialKind {}
/// The tag of origin ids (a phantom type), which stay inside the machine.
enum OriginKind {}

package typealias ConnectionID = SlotID<ConnectionKind>
package typealias WaiterID = SlotID<WaiterKind>
package typealias DialID = SlotID<DialKind>
