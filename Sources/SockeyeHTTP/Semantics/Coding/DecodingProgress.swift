/// How many bytes a coding has produced, and from how many of the wire's.
package struct DecodingProgress: Sendable, Hashable {
    package var decoded = 0
    package var coded = 0

    package init(decoded: Int = 0, coded: Int = 0) {
        self.decoded = decoded
        self.coded = coded
    }

    /// How many times its coded size the body has grown to, rounded up, so that it shows which limit was passed.
    package var ratio: Int {
        guard coded > 0 else { return decoded }
        return decoded / coded + (decoded % coded == 0 ? 0 : 1)
    }
}
