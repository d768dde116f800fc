// Re-exports Sockeye, so that `import SockeyeFoundation` also makes the client available.
@_exported public import Sockeye
