#include "ingest/logs/line_assembler.h"

#include <cstring>

namespace wattflex::logs {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool contains(std::string_view bytes, char c) {
  return std::memchr(bytes.data(), c, bytes.size()) != nullptr;
}

// Copies `from` without terminal control sequences: ESC [ ... letter, ESC ] ... BEL, ESC letter.
void strip_escapes(std::string_view from, std::string& to) {
  to.clear();
  while (!from.empty()) {
    const std::size_t escape = from.find('\x1b');
    to.append(from.substr(0, escape));
    if (escape == std::string_view::npos) return;
    from.remove_prefix(escape + 1);
    if (from.empty()) return;
    const char kind = from.front();
    std::size_t end = 1;
    if (kind == '[') {
      while (end < from.size() && (from[end] < '@' || from[end] > '~')) ++end;
      ++end;
    } else if (kind == ']') {
      while (end < from.size() && from[end] != '\a' && from[end] != '\x1b') ++end;
      if (end < from.size() && from[end] == '\a') ++end;
    }
    from.remove_prefix(end < from.size() ? end : from.size());
  }
}

}  // namespace

void LineAssembler::begin_block(std::string_view& bytes) {
  if (counts_.bytes == 0 && bytes.starts_with(kByteOrderMark)) {
    counts_.bytes = kByteOrderMark.size();
    bytes.remove_prefix(kByteOrderMark.size());
  }
  counts_.bytes += bytes.size();
  if (bytes.empty()) return;
  has_return_ = contains(bytes, '\r');
  has_nul_ = contains(bytes, '\0') || (!carry_.empty() && contains(carry_, '\0'));
  has_escape_ = contains(bytes, '\x1b') || (!carry_.empty() && contains(carry_, '\x1b'));
}

std::string_view LineAssembler::cleaned(std::string_view raw) {
  if (raw.size() > kMostLogLineBytes) {
    ++counts_.overlong;
    return {};
  }
  if (has_nul_ && contains(raw, '\0')) {
    ++counts_.with_nul;
    return {};
  }
  if (!has_escape_ || !contains(raw, '\x1b')) return raw;
  strip_escapes(raw, scratch_);
  return scratch_;
}

std::string_view LineAssembler::completed(std::string_view end_of_line) {
  if (skipping_) {
    skipping_ = false;
    return {};
  }
  if (carry_.empty()) return end_of_line.empty() ? end_of_line : cleaned(end_of_line);
  carry_.append(end_of_line);
  const std::string_view text = cleaned(carry_);
  // The view must outlive the carry, which the next piece of the block fills.
  if (text.data() == carry_.data()) {
    scratch_.assign(text);
    carry_.clear();
    return scratch_;
  }
  carry_.clear();
  return text;
}

void LineAssembler::keep(std::string_view rest) {
  if (skipping_) return;
  if (carry_.size() + rest.size() > kMostLogLineBytes) {
    ++counts_.overlong;
    skipping_ = true;
    carry_.clear();
    return;
  }
  carry_.append(rest);
}

void LineAssembler::finish() {
  if (!carry_.empty() || skipping_) counts_.cut = 1;
  carry_.clear();
  skipping_ = false;
}

}  // namespace wattflex::logs
