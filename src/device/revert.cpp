#include "device/revert.h"

namespace wattflex::device {
namespace {

bool same(Power a, Power b) {
  return whole_milliwatts(a) == whole_milliwatts(b);
}

}  // namespace

std::string_view to_string(Revert revert) {
  switch (revert) {
    case Revert::none:
      return "none";
    case Revert::persistence_off:
      return "persistence_off";
    case Revert::reset_to_default:
      return "reset_to_default";
    case Revert::foreign_writer:
      return "foreign_writer";
  }
  return "none";
}

std::optional<Revert> classify_revert(Power ours, const PowerLimits& now) {
  if (!now.requested) return std::nullopt;
  if (same(*now.requested, ours)) return Revert::none;
  if (!now.factory) return std::nullopt;
  if (!same(*now.requested, *now.factory)) return Revert::foreign_writer;
  return now.persistence && !*now.persistence ? Revert::persistence_off : Revert::reset_to_default;
}

}  // namespace wattflex::device
