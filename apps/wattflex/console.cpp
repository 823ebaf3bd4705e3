#include "apps/wattflex/console.h"

#include <algorithm>
#include <cmath>

#include "report/display_text.h"

namespace wattflex::app {
namespace {

constexpr std::size_t kWarningHanging = 2;

}  // namespace

void Console::print(const report::TextTable& table) {
  out_ << (settings_.format == Format::csv
               ? table.to_csv()
               : table.to_text({.bold_headers = settings_.out_is_terminal, .width = settings_.out_width}));
}

void Console::say(std::string_view line) {
  if (settings_.format == Format::table)
    out_ << report::flowed(report::terminal_text(line), settings_.out_width) << '\n';
}

void Console::warn(std::string_view line) {
  end_progress();
  if (settings_.quiet) return;
  const std::string text = "wattflex: warning: " + report::terminal_text(line);
  err_ << report::flowed(text, settings_.err_width, kWarningHanging) << '\n';
}

void Console::progress(std::string_view label, double done) {
  if (!settings_.err_is_terminal || settings_.quiet) return;
  const auto now = std::chrono::steady_clock::now();
  if (progress_shown_ && done < 1 && now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  progress_shown_ = true;
  constexpr int kBarWidth = 30;
  const int filled = static_cast<int>(std::lround(std::clamp(done, 0.0, 1.0) * kBarWidth));
  err_ << '\r' << label << " [" << std::string(static_cast<std::size_t>(filled), '#')
       << std::string(static_cast<std::size_t>(kBarWidth - filled), '.') << "] " << std::lround(done * 100)
       << " %" << std::flush;
}

void Console::end_progress() {
  if (!progress_shown_) return;
  err_ << "\r\x1b[K" << std::flush;
  progress_shown_ = false;
}

}  // namespace wattflex::app
