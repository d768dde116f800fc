// Re-exports the modules that the public declarations of this module use: one `import SockeyeTesting` is enough.
@_exported public import Sockeye
