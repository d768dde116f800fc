import Synchronization

/// The objects that other products, such as SockeyeTransfers, keep for a client. All copies of the client and all
/// clients derived from it (see `scoped` of ``HTTPClient``) share these objects. There is at most one object of each
/// type.
package final class ClientObjects: Sendable {
    private let objects = Mutex<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// Returns the object of a type. The first call for a type makes its object.
    package func object<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
        objects.withLock { objects in
            if let object = objects[ObjectIdentifier(Object.self)] as? Object { return object }
            let object = make()
            objects[ObjectIdentifier(Object.self)] = object
            return object
        }
    }
}
