/// An answer to a challenge, and what it was made with.
package struct MadeAnswer: Sendable {
    /// The value of the field.
    package let authorization: String
    package let credential: Credential
    package let realm: String
    /// Nil of schemes without nonces.
    package let nonce: String?

    package init(authorization: String, credential: Credential, realm: String, nonce: String?) {
        self.authorization = authorization
        self.credential = credential
        self.realm = realm
        self.nonce = nonce
    }
}

extension MadeAnswer: CustomStringConvertible, CustomReflectable {
    /// Nothing of it: it may hold a password.
    package var description: String { "an answer" }

    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
