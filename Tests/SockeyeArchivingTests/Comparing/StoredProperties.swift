// The standard library's own reflection, because a mirror shows only the properties that a type with secrets allows.
@_spi(Reflection) import Swift

/// The stored properties of a type, by reflection.
enum StoredProperties {
    /// Returns the names of the stored properties. A property `storage` is replaced by the properties of its class.
    static func names(of type: Any.Type) -> Set<String> {
        var names: Set<String> = []
        // The raw value of the option `classType`, which is a global variable and not accessible here.
        let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
        unsafe _forEachField(of: type, options: options) { name, _, fieldType, _ in
            let name = unsafe String(cString: name)
            names.formUnion(name == "storage" ? Self.names(of: fieldType) : [name])
            return true
        }
        return names
    }
}
