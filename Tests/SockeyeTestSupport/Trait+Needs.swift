package import SockeyePlatform
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test on a system without a feature. The comment in the log names the feature.
    package static func needs(_ feature: SystemFeature) -> Self {
        // The comment is made from a string, because a comment that interpolates an enum case shows it with a leading
        // dot.
        .enabled(if: feature.isSupported, Comment(rawValue: "this system lacks \(feature)"))
    }
}
