/// A property list without a type of its own: what parameters can be made of, less sets, decimals and null, which
/// property lists do not have.
public typealias PropertyListValue = ParameterValue
