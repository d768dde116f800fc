import FoundationEssentials

/// What becomes a value of parameters as a whole, without being asked to encode itself: the primitive types, and those
/// whose own encoding would be of no use to a server.
protocol ParameterScalar {
    var parameterValue: Parameters.Value { get }
}

extension Bool: ParameterScalar { var parameterValue: Parameters.Value { .bool(self) } }
extension String: ParameterScalar { var parameterValue: Parameters.Value { .string(self) } }
extension Double: ParameterScalar { var parameterValue: Parameters.Value { .double(self) } }
extension Float: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension Int: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int8: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int16: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int32: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension Int64: ParameterScalar { var parameterValue: Parameters.Value { .integer(self) } }
extension Int128: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension UInt: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension UInt8: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension UInt16: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension UInt32: ParameterScalar { var parameterValue: Parameters.Value { .integer(Int64(self)) } }
extension UInt64: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension UInt128: ParameterScalar { var parameterValue: Parameters.Value { .number(self) } }
extension Date: ParameterScalar { var parameterValue: Parameters.Value { .date(self) } }
extension Data: ParameterScalar { var parameterValue: Parameters.Value { .data(self) } }
extension Decimal: ParameterScalar { var parameterValue: Parameters.Value { .decimal(self) } }
extension URL: ParameterScalar { var parameterValue: Parameters.Value { .string(absoluteString) } }
extension UUID: ParameterScalar { var parameterValue: Parameters.Value { .string(uuidString) } }
extension Parameters: ParameterScalar { var parameterValue: Parameters.Value { .dictionary(values) } }
extension Parameters.Value: ParameterScalar { var parameterValue: Parameters.Value { self } }

/// Tells sets from arrays, which encode themselves alike.
protocol ParameterSet {}

extension Set: ParameterSet {}
