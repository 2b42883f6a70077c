import Foundation

extension Process {
  /// Where programs keep what they found out at their first start, such as GStreamer its list of
  /// plug-ins: one that gets a home of its own would find it out anew.
  public static let cacheFolder: String = {
    let environment = ProcessInfo.processInfo.environment
    return environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
  }()

  /// Starts the program.
  ///
  /// Foundation looks at each file that might be open before, of which there may be a million: the
  /// limit is lowered first. And what it runs of ffmpeg is forked from where that is loaded already.
  public func start() throws {
    _ = Self.hasFewFiles
    environment = ForkServers.variables(environment)
    try run()
  }

  /// Whether the process may have no more files open than the tests need.
  private static let hasFewFiles: Bool = {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(files, &limit) == 0 else { return false }
    limit.rlim_cur = min(limit.rlim_cur, 4_096)
    return unsafe setrlimit(files, &limit) == 0
  }()
}
