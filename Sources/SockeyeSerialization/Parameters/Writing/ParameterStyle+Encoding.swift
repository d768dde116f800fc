extension ParameterStyle {
    /// The parameters as text, without a leading `?`; empty if there are none.
    ///
    /// - Throws: ``ParameterEncodingError`` for numbers that are not finite (by ``nonFinite``), for dates outside the
    ///   years 0 to 9999 where these are written as such, for values nested deeper than ``Parameters/maximumDepth``,
    ///   and for what a closure throws.
    public func encode(_ parameters: Parameters) throws(ParameterEncodingError) -> String {
        if let whole {
            return try ParameterEncodingError.blamingStyle { try whole(parameters) }
        }
        guard !parameters.isEmpty else { return "" }
        return try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) {
            memory throws(ParameterEncodingError) in
            var writer = unsafe ParameterWriter(self, startingIn: memory)
            try write(parameters, to: &writer)
            return writer.text
        }
    }
}
