extension Headers {
    /// The bytes of all lines.
    var byteCount: Int {
        let fields = self.fields.span
        var size = 0
        for index in fields.indices {
            size += fields[index].name.text.utf8.count + fields[index].value.utf8.count + 4
        }
        return size
    }
}
