#include "ingest/line_reader.h"

#include <cstring>
#include <string>

namespace wattflex::ingest {
namespace {

constexpr std::size_t kBufferBytes = 4 * kMostLineBytes;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(TextSource& source)
    : source_(source), buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {}

// Moves the unread part to the front and reads behind it; false when nothing more came.
Result<bool> LineReader::fill() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const bool first = number_ == 0 && end_ == 0;
  const auto count = source_.read({buffer_.get() + end_, kBufferBytes - end_});
  if (!count) return std::unexpected(count.error());
  if (*count == 0) at_end_ = true;
  end_ += *count;
  nul_in_buffer_ = std::memchr(buffer_.get(), '\0', end_) != nullptr;
  return_in_buffer_ = std::memchr(buffer_.get(), '\r', end_) != nullptr;
  if (first && std::string_view(buffer_.get(), end_).starts_with(kByteOrderMark)) {
    had_byte_order_mark_ = true;
    begin_ = kByteOrderMark.size();
  }
  return *count != 0;
}

void LineReader::place(std::string_view text, Line& line) const {
  line = {.text = text, .number = number_ + 1};
  line.carriage_return = text.ends_with('\r');
  if (line.carriage_return) line.text.remove_suffix(1);
  line.has_nul = nul_in_buffer_ && line.text.contains('\0');
  line.lone_return = return_in_buffer_ && line.text.contains('\r');
}

std::unexpected<Error> LineReader::too_long(std::string_view text, Line& line) const {
  place(text, line);
  return fail(ErrorKind::refused,
              source_.name() + ", row " + std::to_string(line.number) + ": longer than 64 KiB",
              "is this a text file with one row a line?");
}

Result<bool> LineReader::next(Line& line) {
  const char* newline = nullptr;
  for (std::size_t searched = 0;;) {
    const std::size_t unread = end_ - begin_;
    newline = unread == searched ? nullptr
                                 : static_cast<const char*>(std::memchr(buffer_.get() + begin_ + searched,
                                                                        '\n', unread - searched));
    if (newline != nullptr || at_end_) break;
    if (unread > kMostLineBytes) return too_long({buffer_.get() + begin_, unread}, line);
    searched = number_ == 0 ? 0 : unread;  // the first block may lose its byte order mark
    if (const auto more = fill(); !more) return std::unexpected(more.error());
  }
  if (newline == nullptr && begin_ == end_) return false;
  const char* const first = buffer_.get() + begin_;
  const char* const last = newline != nullptr ? newline : buffer_.get() + end_;
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  if (text.size() > kMostLineBytes) return too_long(text, line);
  place(text, line);
  line.terminated = newline != nullptr;
  ++number_;
  begin_ = static_cast<std::size_t>(last - buffer_.get()) + (newline != nullptr ? 1 : 0);
  return true;
}

}  // namespace wattflex::ingest
