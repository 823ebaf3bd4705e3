// Lines between steps that say why the next step takes longer: an evaluation, a checkpoint, a fresh start. A
// mark is only a label for a gap that is there anyway; a word that happens to stand in a log costs nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wattflex::logs {

enum class Mark { evaluation, checkpoint, restart };

std::optional<Mark> mark_of(std::string_view line);
// A regular expression that every marked line matches.
std::string mark_words();

}  // namespace wattflex::logs
