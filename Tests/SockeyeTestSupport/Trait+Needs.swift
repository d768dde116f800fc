package import SockeyePlatform
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test on a system without a feature. The comment in the log names the feature.
    package static func needs(_ feature: SystemFeature) -> Self {
        // As a string: a comment that interpolates a case would show it with a dot.
        .enabled(if: feature.isSupported, Comment(rawValue: "this system lacks \(feature)"))
    }
}
