import SockeyePlatform

/// Looks up environment variables in the environment of the process, or with a closure that replaces it in tests.
package struct EnvironmentVariables: Sendable {
    private let value: @Sendable (String) -> String?

    package static let process = EnvironmentVariables { SystemProcess.environment($0) }

    package init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    package subscript(name: String) -> String? { value(name) }
}
