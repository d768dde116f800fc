// Empty, because no Swift code imports this module. It exists only so that SwiftPM finds libpng by pkg-config.
// CSockeyeImages includes the library's headers itself.
