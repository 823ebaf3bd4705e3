// Cuts bytes that arrive in any pieces into log lines, in bounded memory: a line ends at LF or at CR
// (progress bars redraw themselves), colours are taken out, a line with a NUL byte or above the bound is left
// out and counted. A last line without its end is never delivered: it may be half of one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wattflex::logs {

// Longer ones (one-line configuration dumps aside) hold no step; the bound is what keeps memory bounded.
inline constexpr std::size_t kMostLogLineBytes = std::size_t{64} << 10;

struct LineCounts {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;     // LF
  std::uint64_t overlong = 0;  // above kMostLogLineBytes
  std::uint64_t with_nul = 0;
  std::uint64_t cut = 0;  // 1 when the log ends within a line
};

class LineAssembler {
 public:
  // Calls sink(text, line number from 1) for every line that is complete; `text` is valid during the call.
  template <class Sink>
  void feed(std::string_view bytes, Sink&& sink);
  // The log ends here: what is left is a cut line.
  void finish();

  const LineCounts& counts() const { return counts_; }

 private:
  void begin_block(std::string_view& bytes);
  // The line as it is to be read; empty when it is to be left out.
  std::string_view cleaned(std::string_view raw);
  void keep(std::string_view rest);
  std::string_view completed(std::string_view end_of_line);

  std::string carry_;    // the beginning of a line that is not complete
  std::string scratch_;  // a line without its colours
  LineCounts counts_;
  bool skipping_ = false;  // the rest of an overlong line
  bool has_return_ = false;
  bool has_nul_ = false;
  bool has_escape_ = false;
};

template <class Sink>
void LineAssembler::feed(std::string_view bytes, Sink&& sink) {
  begin_block(bytes);
  std::size_t newline = bytes.find('\n');
  for (std::size_t at = 0; at < bytes.size();) {
    if (newline != std::string_view::npos && newline < at) newline = bytes.find('\n', at);
    const std::string_view line = bytes.substr(at, newline - at);  // up to the end where there is no newline
    const std::size_t end = has_return_ ? line.find('\r') : std::string_view::npos;
    if (end == std::string_view::npos && newline == std::string_view::npos) return keep(line);
    const std::string_view text = completed(line.substr(0, end));
    if (!text.empty()) sink(text, counts_.lines + 1);
    at += std::min(end, line.size()) + 1;
    if (end == std::string_view::npos) ++counts_.lines;
  }
}

}  // namespace wattflex::logs
