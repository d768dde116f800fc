// Re-exports Sockeye, so that `import SockeyePropertyLists` also makes the client available.
@_exported public import Sockeye
