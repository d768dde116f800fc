// Empty, because no Swift code imports this module. It exists only so that SwiftPM finds libwebp by pkg-config.
// CSockeyeImages includes the library's headers itself.
