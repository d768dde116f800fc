package import SockeyeNet

/// An address from a literal, which must be valid.
package func address(_ literal: String, _ port: Int = 80) -> EndpointAddress {
    EndpointAddress(literal: literal, port: port)!
}
