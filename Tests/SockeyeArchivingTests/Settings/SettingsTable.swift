import Sockeye
import Testing

/// The properties of a settings type, found by reflection, with extreme values for those that have some.
///
/// A table whose names differ from the stored properties of the type fails ``expectComplete(sourceLocation:)``. A new
/// setting must be entered here, with a decision about its extremes.
struct SettingsTable<Settings: Sendable>: Sendable {
    /// A stored property.
    struct Property: Sendable {
        let name: String
        /// Changes to extreme values; empty if the type has no extremes, such as a flag.
        let extremes: [(text: String, change: @Sendable (inout Settings) -> Void)]
    }

    let standard: Settings
    let properties: [Property]

    init(_ standard: Settings, _ properties: Property...) {
        self.standard = standard
        self.properties = properties
    }

    /// Expects an entry for each stored property, and no other.
    func expectComplete(sourceLocation: SourceLocation = #_sourceLocation) {
        let found = Self.names(of: standard)
        let known = Set(properties.map(\.name))
        #expect(found == known, "\(Settings.self)", sourceLocation: sourceLocation)
    }

    /// Returns the names of the stored properties; for settings stored by reference, those of the storage.
    private static func names(of value: Any) -> Set<String> {
        let children = Array(Mirror(reflecting: value).children)
        if children.count == 1, children[0].label == "storage" { return names(of: children[0].value) }
        return Set(children.compactMap(\.label))
    }

    /// All settings with one property at an extreme.
    var variants: [(text: String, settings: Settings)] {
        properties.flatMap { property in
            property.extremes.map { extreme in
                var settings = standard
                extreme.change(&settings)
                return ("\(Settings.self).\(property.name) = \(extreme.text)", settings)
            }
        }
    }

    /// Uses each variant in turn. Any thrown error must be one of the library. A trap ends the tests.
    ///
    /// - Returns: The number of variants that threw no error.
    @discardableResult func useEach(
        sourceLocation: SourceLocation = #_sourceLocation, _ use: (Settings) async throws -> Void
    ) async -> Int {
        expectComplete(sourceLocation: sourceLocation)
        var workingCount = 0
        for (text, settings) in variants {
            do {
                try await use(settings)
                workingCount += 1
            } catch let error as SockeyeError {
                // Texts of errors contain the numbers, so they are formatted as well.
                #expect(!"\(error)".isEmpty, "\(text)", sourceLocation: sourceLocation)
            } catch {
                Issue.record("\(text): a foreign error: \(error)", sourceLocation: sourceLocation)
            }
        }
        return workingCount
    }
}

/// The extremes of the types of settings.
enum Extreme {
    static let counts = [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]
    static let numbers: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1, -0.0, .leastNonzeroMagnitude, 1, .greatestFiniteMagnitude, .infinity,
        .nan,
    ]
    static let durations: [Duration] = [
        Duration(attoseconds: .min), Duration(attoseconds: .max), .seconds(Int64.min), .seconds(Int64.max),
        .nanoseconds(Int64.min), .nanoseconds(Int64.max), .seconds(-1), .nanoseconds(-1), .zero, .nanoseconds(1),
        // The time until `Date.distantPast`.
        .seconds(-64_000_000_000),
    ]
}

extension SettingsTable.Property {
    /// Returns a property without extremes: a flag, a closure, a choice.
    static func plain(_ name: String) -> Self { Self(name: name, extremes: []) }

    static func values<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ values: [Value]
    ) -> Self {
        Self(
            name: name,
            extremes: values.map { value in ("\(value)", { settings in settings[keyPath: path] = value }) })
    }

    static func count(_ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable) -> Self {
        .values(name, path, Extreme.counts)
    }

    static func count(_ name: String, _ path: any WritableKeyPath<Settings, Int?> & Sendable) -> Self {
        .values(name, path, [nil] + Extreme.counts)
    }

    static func number(_ name: String, _ path: any WritableKeyPath<Settings, Double> & Sendable) -> Self {
        .values(name, path, Extreme.numbers)
    }

    static func duration(_ name: String, _ path: any WritableKeyPath<Settings, Duration> & Sendable) -> Self {
        .durations(name, Extreme.durations.map { value in { settings in settings[keyPath: path] = value } })
    }

    static func duration(_ name: String, _ path: any WritableKeyPath<Settings, Duration?> & Sendable) -> Self {
        .durations(name, Extreme.durations.map { value in { settings in settings[keyPath: path] = value } })
    }

    private static func durations(_ name: String, _ changes: [@Sendable (inout Settings) -> Void]) -> Self {
        // A duration beyond 2^63 s cannot be converted to text.
        Self(name: name, extremes: changes.enumerated().map { ("duration \($0.offset)", $0.element) })
    }
}
