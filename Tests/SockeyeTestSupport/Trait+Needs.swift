package import SockeyePlatform
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test on a system without a feature. The comment in the log names the feature.
    package static func needs(_ feature: SystemFeature) -> Self {
        .enabled(if: feature.isSupported, "this system lacks \(feature)")
    }
}
