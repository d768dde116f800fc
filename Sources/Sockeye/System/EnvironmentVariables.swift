import Glibc

/// Looks up variables of the environment, the process's or another.
struct EnvironmentVariables: Sendable {
    private let value: @Sendable (String) -> String?

    static let process = EnvironmentVariables { name in unsafe getenv(name).map { unsafe String(cString: $0) } }

    init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    subscript(name: String) -> String? { value(name) }
}
