import ArgumentParser

/// How a command writes its data.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}
