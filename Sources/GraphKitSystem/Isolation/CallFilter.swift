import CGraphKitSystem
import Glibc

/// A filter of the calls of the system that this process and its later threads make (seccomp(2)): those
/// that reach beyond it fail, as if it hadn't the right to them.
///
/// It has no list of what is allowed: decoders and the C library need other calls on each machine. It
/// has those that open a way out: networks, programs, files to be written, other processes, and parts of
/// the kernel that media have no use for.
enum CallFilter {
  /// Installs the filter; `false` where the kernel takes none.
  static func install() -> Bool {
    var program = Self.program
    return unsafe program.withUnsafeMutableBufferPointer { steps in
      unsafe graphkit_set_filter(steps.baseAddress!, UInt16(steps.count))
    } == 0
  }

  private static var program: [sock_filter] {
    var steps = [load(4), jump(equal: architecture, else: 1), jump(by: 1), refuse(EPERM), load(0)]
    // Another numbering of the same calls.
    #if arch(x86_64)
      steps += [jump(atLeast: 0x4000_0000, else: 1), refuse(EPERM)]
    #endif
    for call in refused { steps += [jump(equal: UInt32(call), else: 1), refuse(EPERM)] }
    // Its flags are in memory, where no filter looks; the C library then takes the older call.
    steps += [jump(equal: UInt32(SYS_clone3), else: 1), refuse(ENOSYS)]
    // `CLONE_THREAD`, which is declared only under _GNU_SOURCE.
    steps += when(SYS_clone, argument: 0, hasNone: 0x1_0000)
    let writes = UInt32(O_ACCMODE | O_CREAT | O_TRUNC)
    steps += when(SYS_openat, argument: 2, hasAny: writes)
    #if arch(x86_64)
      steps += when(SYS_open, argument: 1, hasAny: writes)
    #endif
    // Signals to other processes, which descriptors send: F_SETOWN, F_SETSIG, F_SETOWN_EX; FIOSETOWN,
    // SIOCSPGRP.
    steps += when(SYS_fcntl, argument: 1, isAnyOf: [8, 10, 15])
    steps += when(SYS_ioctl, argument: 1, isAnyOf: [0x8901, 0x8902])
    // It ends with the thread that has started it (PR_SET_PDEATHSIG).
    steps += when(SYS_prctl, argument: 0, isAnyOf: [1])
    // What a fault does: libraries would take it for their own, or let the process go on.
    let faults = Confinement.faults.map { UInt32($0) }
    steps += when(SYS_rt_sigaction, argument: 0, isAnyOf: faults)
    // Pairs of ends that are connected (SOCK_STREAM, SOCK_SEQPACKET) reach no other process; others can send to
    // an address.
    steps += [jump(equal: UInt32(SYS_socketpair), else: 7), load(24), step(0x54, 0xF)]
    steps += [jump(equal: 1, else: 1), allow, jump(equal: 5, else: 1), allow, refuse(EPERM)]
    // Memory that no limit counts: shared, and of no file (`MAP_SHARED`, `MAP_ANONYMOUS`).
    steps += [jump(equal: UInt32(SYS_mmap), else: 5), load(40), step(0x54, 0x21)]
    steps += [jump(equal: 0x21, else: 1), refuse(EPERM), allow]
    // Only to itself, as where it aborts.
    steps += [jump(equal: UInt32(SYS_tgkill), else: 4), load(16)]
    steps += [jump(equal: UInt32(getpid()), else: 1), allow, refuse(EPERM)]
    return steps + [allow]
  }

  private static let refused: [Int32] = {
    var calls = [
      SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_execve,
      SYS_execveat, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
      SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_ptrace, SYS_process_vm_readv,
      SYS_process_vm_writev, SYS_process_madvise, SYS_kcmp, SYS_openat2, SYS_open_by_handle_at,
      SYS_truncate, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat,
      SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat,
      SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
      SYS_fremovexattr, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare,
      SYS_setns, SYS_fsopen, SYS_open_tree, SYS_move_mount, SYS_bpf, SYS_perf_event_open,
      SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_keyctl,
      SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module,
      SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog,
      SYS_memfd_create, SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_sethostname,
      SYS_setdomainname,
      SYS_fanotify_init, SYS_inotify_init1, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget,
      SYS_mq_open, SYS_prlimit64, SYS_setrlimit, SYS_setpriority, SYS_personality,
    ]
    calls += [
      SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
      SYS_migrate_pages, SYS_move_pages,
    ]
    // fchmodat2, setxattrat and removexattrat, which are newer than the C library's headers, and have the
    // same numbers everywhere.
    calls += [452, 463, 466]
    #if arch(x86_64)
      calls += [
        SYS_fork, SYS_vfork, SYS_creat, SYS_unlink, SYS_rmdir, SYS_rename, SYS_renameat, SYS_link,
        SYS_symlink, SYS_mkdir, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes,
        SYS_futimesat, SYS_inotify_init, SYS_ioperm, SYS_iopl, SYS_modify_ldt,
      ]
    #endif
    return calls
  }()

  // MARK: Steps, of which a filter is made (linux/filter.h)

  #if arch(x86_64)
    private static let architecture: UInt32 = 0xC000_003E
  #else
    private static let architecture: UInt32 = 0xC000_00B7
  #endif

  /// Loads a word of what the filter looks at: the call's number at 0, the architecture at 4, and the
  /// low half of argument *n* at 16 + 8 *n*.
  private static func load(_ offset: UInt32) -> sock_filter { step(0x20, offset) }

  private static func refuse(_ code: Int32) -> sock_filter {
    step(0x06, 0x0005_0000 | UInt32(code))
  }
  private static var allow: sock_filter { step(0x06, 0x7FFF_0000) }

  private static func jump(by count: UInt32) -> sock_filter { step(0x05, count) }
  /// Goes on with the next step, or leaves out some.
  private static func jump(equal value: UInt32, else count: UInt8) -> sock_filter {
    step(0x15, value, 0, count)
  }
  private static func jump(atLeast value: UInt32, else count: UInt8) -> sock_filter {
    step(0x35, value, 0, count)
  }

  /// Refuses a call where an argument has any of some bits; otherwise allows it.
  private static func when(_ call: Int32, argument: UInt32, hasAny bits: UInt32) -> [sock_filter] {
    [
      jump(equal: UInt32(call), else: 4), load(16 + 8 * argument), step(0x45, bits, 0, 1),
      refuse(EPERM), allow,
    ]
  }

  /// Refuses a call where an argument has none of some bits; otherwise allows it.
  private static func when(_ call: Int32, argument: UInt32, hasNone bits: UInt32) -> [sock_filter] {
    [
      jump(equal: UInt32(call), else: 4), load(16 + 8 * argument), step(0x45, bits, 1, 0),
      refuse(EPERM), allow,
    ]
  }

  /// Refuses a call where an argument is one of some values; otherwise allows it.
  private static func when(
    _ call: Int32, argument: UInt32, isAnyOf values: [UInt32]
  ) -> [sock_filter] {
    var steps = [
      jump(equal: UInt32(call), else: UInt8(2 * values.count + 2)), load(16 + 8 * argument),
    ]
    for value in values { steps += [jump(equal: value, else: 1), refuse(EPERM)] }
    return steps + [allow]
  }

  private static func step(
    _ code: UInt16, _ value: UInt32, _ whenTrue: UInt8 = 0, _ whenFalse: UInt8 = 0
  ) -> sock_filter {
    sock_filter(code: code, jt: whenTrue, jf: whenFalse, k: value)
  }
}
