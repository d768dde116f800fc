// The standard library's own reflection: a mirror shows what a type with secrets lets it show.
@_spi(Reflection) import Swift

/// The stored properties of a type, by reflection.
enum StoredProperties {
    /// The names of the stored properties; a property `storage` is replaced by those of its class.
    static func names(of type: Any.Type) -> Set<String> {
        var names: Set<String> = []
        // The option `classType`, which is a global variable and thus out of reach.
        let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
        unsafe _forEachField(of: type, options: options) { name, _, fieldType, _ in
            let name = unsafe String(cString: name)
            names.formUnion(name == "storage" ? Self.names(of: fieldType) : [name])
            return true
        }
        return names
    }
}
