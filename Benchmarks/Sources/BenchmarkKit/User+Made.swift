extension User {
    /// Returns users similar to those of a directory; the same users every time.
    package static func make(_ count: Int) -> [User] {
        var random = UserRandom()
        return (1...count).map { User(id: $0, random: &random) }
    }

    private init(id: Int, random: inout UserRandom) {
        let (given, family) = (random.pick(Self.givenNames), random.pick(Self.familyNames))
        self.id = id
        key = random.hexadecimal(8) + "-" + random.hexadecimal(4) + "-4" + random.hexadecimal(3)
        name = "\(given) \(family)"
        email = "user\(id)@\(random.pick(Self.words)).example"
        isActive = random.below(4) > 0
        balance = Double(random.below(1_000_000)) / 100
        registered =
            "20\(10 + random.below(16))-0\(1 + random.below(9))-1\(random.below(10))T0\(random.below(10)):15:00Z"
        manager = id > 10 && random.below(3) > 0 ? random.below(id) : nil
        tags = (0..<random.below(5)).map { _ in random.pick(Self.words) }
        address = Address(
            street: "\(1 + random.below(200)) \(random.pick(Self.familyNames)) Street", city: random.pick(Self.cities),
            postcode: "\(10_000 + random.below(90_000))", latitude: Double(random.below(180_000)) / 1000 - 90,
            longitude: Double(random.below(360_000)) / 1000 - 180)
        about = (0..<12).map { _ in random.pick(Self.words) }.joined(separator: " ")
    }

    private static let givenNames = [
        "Ada", "Chloé", "Dmitri", "Elif", "Grace", "Haruto", "Ingrid", "João", "Kwame", "Léa", "Maryam", "Nguyễn",
        "Olu", "Priya", "Søren", "Tove",
    ]
    private static let familyNames = [
        "Almeida", "Berg", "Çelik", "Dubois", "Eriksen", "Fernández", "García", "Hughes", "Ito", "Jensen", "Kovač",
        "Lindqvist", "Müller", "Novák", "O\"Brien", "Park",
    ]
    private static let cities = [
        "Århus", "Bogotá", "Cork", "Dakar", "Gent", "Kyoto", "Lyon", "Málaga", "Pune", "Tartu",
    ]
    private static let words = [
        "amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "harbour", "inlet", "juniper", "kelp", "lagoon",
        "meadow", "nettle", "orchard", "pebble", "quarry", "river", "salmon", "tundra", "upland", "valley", "willow",
        "yarrow",
    ]
}
