// Physical quantities as types, so that watts and joules cannot be mixed up inside the program.
// Plain doubles appear only at untyped edges (files, JSON, linear algebra), with the unit in the name.
#pragma once

#include <chrono>
#include <compare>

namespace wattflex {

// Arithmetic shared by all quantities; `Self` is the quantity itself, and only it can be one.
template <class Self>
class Quantity {
 public:
  friend constexpr auto operator<=>(const Self& a, const Self& b) { return a.base_ <=> b.base_; }
  friend constexpr bool operator==(const Self& a, const Self& b) { return a.base_ == b.base_; }
  friend constexpr Self operator+(Self a, Self b) { return make(a.base_ + b.base_); }
  friend constexpr Self operator-(Self a, Self b) { return make(a.base_ - b.base_); }
  friend constexpr Self operator-(Self a) { return make(-a.base_); }
  friend constexpr Self operator*(Self a, double factor) { return make(a.base_ * factor); }
  friend constexpr Self operator*(double factor, Self a) { return make(a.base_ * factor); }
  friend constexpr Self operator/(Self a, double divisor) { return make(a.base_ / divisor); }
  friend constexpr double operator/(Self a, Self b) { return a.base_ / b.base_; }
  constexpr Self& operator+=(Self other) { return base_ += other.base_, static_cast<Self&>(*this); }
  constexpr Self& operator-=(Self other) { return base_ -= other.base_, static_cast<Self&>(*this); }

 protected:
  static constexpr Self make(double base) {
    Self self;
    self.base_ = base;
    return self;
  }
  double base_ = 0;  // in the SI unit

 private:
  friend Self;
  constexpr Quantity() = default;
};

class Power : public Quantity<Power> {
 public:
  constexpr Power() = default;
  static constexpr Power from_watts(double watts) { return make(watts); }
  constexpr double watts() const { return base_; }
};

class Energy : public Quantity<Energy> {
 public:
  constexpr Energy() = default;
  static constexpr Energy from_joules(double joules) { return make(joules); }
  static constexpr Energy from_kilowatt_hours(double kwh) { return make(kwh * 3.6e6); }
  constexpr double joules() const { return base_; }
  constexpr double kilowatt_hours() const { return base_ / 3.6e6; }
};

class Frequency : public Quantity<Frequency> {
 public:
  constexpr Frequency() = default;
  static constexpr Frequency from_megahertz(double mhz) { return make(mhz * 1e6); }
  constexpr double megahertz() const { return base_ / 1e6; }
  constexpr double hertz() const { return base_; }
};

using Seconds = std::chrono::duration<double>;

constexpr Energy operator*(Power power, Seconds time) {
  return Energy::from_joules(power.watts() * time.count());
}
constexpr Power operator/(Energy energy, Seconds time) {
  return Power::from_watts(energy.joules() / time.count());
}

}  // namespace wattflex
