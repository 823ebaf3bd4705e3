// Composes the program: standard streams in, exit status out. Everything else is in the verbs.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "apps/wattflex/command_line.h"
#include "apps/wattflex/terminal.h"

int main(int argc, char** argv) {
  // A reader that has seen enough (`| head`) ends us quietly, also where the parent ignores the signal.
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  // A file beyond `ulimit -f` is a write that fails, not our end.
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
  std::ios::sync_with_stdio(false);
  try {
    return wattflex::app::run_command_line(std::vector<std::string>(argv + 1, argv + argc),
                                           {.out = std::cout,
                                            .err = std::cerr,
                                            .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                                            .err_is_terminal = isatty(STDERR_FILENO) == 1,
                                            .out_width = wattflex::app::line_width(STDOUT_FILENO),
                                            .err_width = wattflex::app::line_width(STDERR_FILENO)});
  } catch (const std::bad_alloc&) {
    std::fputs("wattflex: out of memory; ask for less at a time, or raise the limit\n", stderr);
    return 1;
  }
}
