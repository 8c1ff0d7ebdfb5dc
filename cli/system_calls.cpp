// SPDX-License-Identifier: Apache-2.0
#include "cli/system_calls.h"

#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace bolza::cli {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64, first_of_x32 = 0x40000000;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64, first_of_x32 = 0;
#else
constexpr std::uint32_t architecture = 0, first_of_x32 = 0;
#endif

constexpr std::array refused{
    SYS_acct,
    SYS_add_key,
    SYS_adjtimex,
    SYS_bpf,
    SYS_chroot,
    SYS_clock_adjtime,
    SYS_clock_settime,
    SYS_delete_module,
    SYS_finit_module,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fsopen,
    SYS_fspick,
    SYS_init_module,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_io_uring_setup,
    SYS_kcmp,
    SYS_kexec_file_load,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_lookup_dcookie,
    SYS_mbind,
    SYS_migrate_pages,
    SYS_mount,
    SYS_move_mount,
    SYS_move_pages,
    SYS_name_to_handle_at,
    SYS_nfsservctl,
    SYS_open_by_handle_at,
    SYS_open_tree,
    SYS_perf_event_open,
    SYS_personality,
    SYS_pidfd_getfd,
    SYS_pivot_root,
    SYS_process_madvise,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_ptrace,
    SYS_quotactl,
    SYS_reboot,
    SYS_request_key,
    SYS_setdomainname,
    SYS_sethostname,
    SYS_setns,
    SYS_settimeofday,
    SYS_swapoff,
    SYS_swapon,
    SYS_syslog,
    SYS_umount2,
    SYS_unshare,
    SYS_userfaultfd,
    SYS_vhangup,
#if defined(__x86_64__)
    SYS_create_module,
    SYS_get_kernel_syms,
    SYS_ioperm,
    SYS_iopl,
    SYS_modify_ldt,
    SYS_query_module,
    SYS_uselib,
    SYS_ustat,
#endif
};
constexpr std::uint32_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::array<std::uint32_t, 2> terminal_input{TIOCSTI, TIOCLINUX};
constexpr std::array<std::uint32_t, 3> kinds_of_sockets{AF_UNIX, AF_INET, AF_INET6};

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter skip_if(std::uint16_t test, std::uint32_t value, std::uint8_t then, std::uint8_t otherwise) {
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), value, then, otherwise);
}
sock_filter end(std::uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
sock_filter fail(std::uint32_t error) { return end(SECCOMP_RET_ERRNO | error); }

/// The low half of an argument, on machines whose low half comes first.
sock_filter argument(std::size_t k) { return load(offsetof(seccomp_data, args) + 8 * k); }
sock_filter number() { return load(offsetof(seccomp_data, nr)); }

}  // namespace

std::vector<sock_filter> system_call_filter() {
  if (architecture == 0) return {};
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)), skip_if(BPF_JEQ, architecture, 1, 0),
                                   end(SECCOMP_RET_KILL_PROCESS), number()};
  auto add = [&](std::initializer_list<sock_filter> steps) { program.insert(program.end(), steps); };
  if (first_of_x32) add({skip_if(BPF_JGE, first_of_x32, 0, 1), fail(ENOSYS)});
  for (long call : refused) add({skip_if(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1), fail(EPERM)});
  add({skip_if(BPF_JEQ, SYS_clone3, 0, 1), fail(ENOSYS)});  // its flags lie in memory; libraries fall back to clone
  add({skip_if(BPF_JEQ, SYS_clone, 0, 4), argument(0), skip_if(BPF_JSET, new_namespaces, 0, 1), fail(EPERM), number()});
  for (std::uint32_t request : terminal_input)
    add({skip_if(BPF_JEQ, SYS_ioctl, 0, 4), argument(1), skip_if(BPF_JEQ, request, 0, 1), fail(EPERM), number()});
  add({skip_if(BPF_JEQ, SYS_socket, 0, 5), argument(0), skip_if(BPF_JEQ, kinds_of_sockets[0], 3, 0),
       skip_if(BPF_JEQ, kinds_of_sockets[1], 2, 0), skip_if(BPF_JEQ, kinds_of_sockets[2], 1, 0), fail(EAFNOSUPPORT)});
  add({end(SECCOMP_RET_ALLOW)});
  return program;
}

}  // namespace bolza::cli
