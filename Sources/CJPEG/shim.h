// Located by pkg-config for CSockeyeImages, which includes the headers itself; no Swift code imports this module.
