import SockeyePlatform

/// Looks up variables of the environment, the process's or another.
package struct EnvironmentVariables: Sendable {
    private let value: @Sendable (String) -> String?

    package static let process = EnvironmentVariables { SystemProcess.environment($0) }

    package init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    package subscript(name: String) -> String? { value(name) }
}
