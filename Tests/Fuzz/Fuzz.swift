import Glibc

// What libFuzzer calls: `GRAPHKIT_FUZZ_TARGET=wav Fuzz [options] [folders]`. `Scripts/fuzz` builds
// and runs it.

/// The target that the environment names; asked for once.
private let target: Targets.Target = {
  let name = unsafe getenv("GRAPHKIT_FUZZ_TARGET").map { unsafe String(cString: $0) }
  guard let target = Targets.all[name ?? ""] else {
    // The script asks for the names this way.
    print(Targets.all.keys.sorted().joined(separator: "\n"))
    exit(name == nil ? 0 : 64)
  }
  return target
}()

/// Has the environment read before the first input comes.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<Int32>?, _ arguments: UnsafeMutableRawPointer?
) -> Int32 {
  _ = target
  return 0
}

/// Gives one input to the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
