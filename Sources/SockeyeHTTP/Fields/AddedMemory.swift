/// Memory for ``AddedFields`` that need much.
final class AddedMemory: ManagedBuffer<Int, UInt8> {
    static func make(capacity: Int) -> AddedMemory {
        unsafe unsafeDowncast(create(minimumCapacity: capacity) { _ in capacity }, to: AddedMemory.self)
    }
}
