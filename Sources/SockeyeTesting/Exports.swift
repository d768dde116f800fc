// What the public declarations of this module are made of comes with it: one `import SockeyeTesting` is enough.
@_exported public import Sockeye
