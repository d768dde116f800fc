import FoundationEssentials

/// What becomes a value of parameters as a whole, without being asked to encode itself: the primitive types, and those
/// whose own encoding would be of no use to a server. Apart from ``ParameterConvertible``, whose arrays and dictionaries
/// the encoder goes through itself.
protocol ParameterScalar: ParameterConvertible {}

extension Bool: ParameterScalar {}
extension String: ParameterScalar {}
extension Double: ParameterScalar {}
extension Float: ParameterScalar {}
extension Int: ParameterScalar {}
extension Int8: ParameterScalar {}
extension Int16: ParameterScalar {}
extension Int32: ParameterScalar {}
extension Int64: ParameterScalar {}
extension Int128: ParameterScalar {}
extension UInt: ParameterScalar {}
extension UInt8: ParameterScalar {}
extension UInt16: ParameterScalar {}
extension UInt32: ParameterScalar {}
extension UInt64: ParameterScalar {}
extension UInt128: ParameterScalar {}
extension Date: ParameterScalar {}
extension Data: ParameterScalar {}
extension Decimal: ParameterScalar {}
extension URL: ParameterScalar {}
extension UUID: ParameterScalar {}
extension Parameters: ParameterScalar {}
extension ParameterValue: ParameterScalar {}

/// Tells sets from arrays, which encode themselves alike.
protocol ParameterSet {}

extension Set: ParameterSet {}
