/// An element of the JSON that scenarios decode, with numbers, strings, a nested object, an array and an optional.
package struct User: Codable, Sendable {
    package struct Address: Codable, Sendable {
        package let street: String
        package let city: String
        package let postcode: String
        package let latitude: Double
        package let longitude: Double
    }

    package let id: Int
    package let key: String
    package let name: String
    package let email: String
    package let isActive: Bool
    package let balance: Double
    package let registered: String
    package let manager: Int?
    package let tags: [String]
    package let address: Address
    package let about: String
}
