// Found through pkg-config for CSockeyeImages, which includes what it needs; imported by nobody.
