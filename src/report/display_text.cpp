#include "report/display_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace wattflex::report {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Takes one code point off the front of `text`; kReplacement for a malformed sequence (one byte is taken).
char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  constexpr unsigned char kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  if (length == 0 || lead > 0xF4 || text.size() < length) {
    text.remove_prefix(1);
    return kReplacement;
  }
  char32_t point = lead & kLeadBits[length];
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(1);
      return kReplacement;
    }
    point = point << 6 | (byte(i) & 0x3FU);
  }
  text.remove_prefix(length);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < kLeast[length] || surrogate || point > 0x10FFFF ? kReplacement : point;
}

void append_code_point(std::string& out, char32_t point) {
  const auto add = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

bool is_control(char32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029;
}

bool drives_terminal(char32_t point) {
  return (point < 0x20 && point != U'\n') || (point >= 0x7F && point < 0xA0) ||
         (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

bool is_invisible(char32_t point) {
  return (point >= 0x200B && point <= 0x200F) || (point >= 0x202A && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF || point == 0x61C;
}

}  // namespace

std::string display_text(std::string_view text, std::size_t most_characters) {
  std::vector<char32_t> points;
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    if (!is_invisible(point)) points.push_back(is_control(point) ? U' ' : point);
  }
  std::string out;
  if (points.size() > most_characters && most_characters > 0) {
    const std::size_t kept = most_characters - 1;
    const auto tail = static_cast<std::ptrdiff_t>(kept / 3);
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(kept) - tail, points.end() - tail);
    points.insert(points.end() - tail, U'…');
  }
  for (const char32_t point : points) append_code_point(out, point);
  return out;
}

std::string terminal_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    append_code_point(out, drives_terminal(point) ? U'?' : point);
  }
  return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (lines.empty() || character_count(lines.back()) + 1 + character_count(word) > width) {
      lines.emplace_back(word);
    } else {
      lines.back().append(" ").append(word);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string flowed(std::string_view text, std::size_t width, std::size_t hanging) {
  std::string out;
  while (true) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string below(indent + hanging, ' ');
    const std::size_t room = width > below.size() ? width - below.size() : 1;
    // The first line is longer by what the others hang in.
    std::string_view rest = line.substr(indent);
    out += line.substr(0, indent);
    if (character_count(line) > width) {
      const std::size_t head = wrapped(rest, room + hanging).front().size();
      out += rest.substr(0, head);
      rest.remove_prefix(head);
      for (const std::string& part : wrapped(rest.substr(std::min<std::size_t>(1, rest.size())), room)) {
        out.erase(out.find_last_not_of(' ') + 1);
        out.append("\n").append(below).append(part);
      }
    } else {
      out += rest;
    }
    if (line.size() == text.size()) return out;
    out += '\n';
    text.remove_prefix(line.size() + 1);
  }
}

std::string cap_text(Power cap) {
  return fmt::format("{:g}", std::floor(100 * cap.watts() + 1e-6) / 100);
}

std::string points_text(double difference) {
  const double rounded = std::round(1000 * difference) / 10;
  return fmt::format("{:+.1f}", rounded == 0 ? 0.0 : rounded);
}

std::string cut_text(double share) {
  return fmt::format("{:g} %", std::round(1e4 * share) / 100);
}

std::string reachable_percent(double share) {
  return fmt::format("{:.2f}", std::floor(1e4 * share + 1e-9) / 100);
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  return count;
}

std::string json_for_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace wattflex::report
