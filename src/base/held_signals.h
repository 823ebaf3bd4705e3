// Holds back Ctrl-C, kill and their like while something unfinished lies on disk. Nothing is handled: the
// signal stays pending, the work stops and cleans up as after any error, and the signal then ends the program
// as if it had just come. Not for SIGKILL, which nothing holds back.
#pragma once

#include <csignal>

namespace wattflex {

// For the thread that makes it and those it starts meanwhile; may be nested. Declare it before what cleans
// up.
class SignalsHeldBack {
 public:
  SignalsHeldBack();
  ~SignalsHeldBack();
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

  // Whether one is waiting: long work asks now and then, and stops.
  bool arrived() const;
  // Those that end the program; not the ones it ignores (nohup).
  const sigset_t& signals() const { return signals_; }

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace wattflex
