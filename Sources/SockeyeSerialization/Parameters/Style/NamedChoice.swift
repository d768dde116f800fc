/// A choice that is archived as its name, unless it is a closure.
protocol NamedChoice {
    /// All choices but closures.
    static var named: [Self] { get }
    /// Nil for a closure.
    var name: String? { get }
}
