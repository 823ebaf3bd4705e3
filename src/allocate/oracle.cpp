#include "allocate/oracle.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <string_view>
#include <tuple>
#include <utility>

#include "allocate/envelope.h"

namespace wattflex::allocate {
namespace {

// Jobs that are the same to the solver: one curve, one weight, one least draw.
struct Kind {
  std::vector<Breakpoint> curve;  // from the least draw on
  std::vector<std::size_t> jobs;
};

// `count` jobs of one kind, each held between two breakpoints.
struct Part {
  std::size_t kind = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t count = 0;
};

// A subproblem is the parts all jobs are sorted into.
using Parts = std::vector<Part>;

struct Piece {
  std::size_t part = 0;
  EnvelopePiece envelope;
  std::size_t count = 0;  // jobs that have it
};

// Ties in a fixed order, so that the same problem gives the same plan everywhere.
void sort_by_falling_slope(std::vector<Piece>& pieces) {
  std::ranges::sort(pieces, [](const Piece& left, const Piece& right) {
    if (left.envelope.slope != right.envelope.slope) return left.envelope.slope > right.envelope.slope;
    return std::tie(left.part, left.envelope.from) < std::tie(right.part, right.envelope.from);
  });
}

// The relaxed optimum of a subproblem: all pieces before `critical` are filled, of the critical one `full`
// jobs and a `fraction` of one more.
struct Relaxed {
  double bound = 0;
  std::size_t critical = 0;  // index into pieces; pieces.size() when everything is filled
  std::size_t full = 0;
  double fraction = 0;
};

double yield_at(const std::vector<Breakpoint>& curve, double draw) {
  const auto right =
      std::lower_bound(curve.begin() + 1, curve.end() - 1, draw,
                       [](const Breakpoint& point, double wanted) { return point.draw < wanted; });
  const auto left = right - 1;
  return left->yield + (right->yield - left->yield) * (draw - left->draw) / (right->draw - left->draw);
}

Kind make_kind(const Job& job, double weight) {
  Kind kind;
  const double least = job.least_draw().watts();
  kind.curve.push_back({least, weight * job.curve->throughput_at(job.least_draw())});
  for (const CurvePoint& point : job.curve->points()) {
    if (point.draw.watts() > least) kind.curve.push_back({point.draw.watts(), weight * point.throughput});
  }
  return kind;
}

std::vector<Kind> sort_into_kinds(const Problem& problem) {
  const std::vector<double> weights = objective_weights(problem);
  std::map<std::tuple<const Curve*, double, double>, std::size_t> known;
  std::vector<Kind> kinds;
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    const Job& job = problem.jobs[j];
    const auto [entry, is_new] =
        known.try_emplace({job.curve, weights[j], job.least_draw().watts()}, kinds.size());
    if (is_new) kinds.push_back(make_kind(job, weights[j]));
    kinds[entry->second].jobs.push_back(j);
  }
  // Ties go by name, not by place: the plan of a job does not hang on the order of a table. Jobs of one name
  // (a group on two accelerators) differ in their curves.
  const auto identity = [&](std::size_t j) {
    const Job& job = problem.jobs[j];
    return std::tuple(std::string_view(job.name), job.uncapped_draw(),
                      job.curve->throughput_at(job.uncapped_draw()));
  };
  for (Kind& kind : kinds) std::ranges::stable_sort(kind.jobs, {}, identity);
  std::ranges::stable_sort(kinds, {}, [&](const Kind& kind) { return identity(kind.jobs.front()); });
  return kinds;
}

}  // namespace

struct Oracle::Prepared {
  std::vector<Kind> kinds;
  Parts root;
  std::vector<Piece> root_pieces;  // by falling slope
  double root_draw = 0;            // everything at its least draw
  double root_yield = 0;
  double scale = 0;  // the uncapped objective
  std::size_t jobs = 0;
};

// One run of branch and bound.
class Oracle::Search {
 public:
  Search(const Prepared& prepared, double budget, const OracleOptions& options)
      : prepared_(prepared), budget_(budget), options_(options) {}

  Optimum run() {
    consider(prepared_.root, prepared_.root_pieces, prepared_.root_draw, prepared_.root_yield);
    const double tolerance = options_.tolerance * prepared_.scale;
    while (!open_.empty() && open_.top().bound > best_.objective + tolerance && effort_ < options_.effort) {
      const Node node = open_.top();
      open_.pop();
      branch(node);
    }
    best_.bound = open_.empty() ? best_.objective : std::max(best_.objective, open_.top().bound);
    return std::move(best_);
  }

 private:
  // A subproblem whose relaxed optimum puts one job inside a gap.
  struct Node {
    double bound = 0;
    Parts parts;
    std::size_t part = 0;   // of the job in the gap
    std::size_t full = 0;   // jobs of that part beyond the gap
    std::size_t split = 0;  // breakpoint inside the gap

    bool operator<(const Node& other) const { return bound < other.bound; }
  };

  const std::vector<Breakpoint>& curve_of(const Part& part) const { return prepared_.kinds[part.kind].curve; }

  void branch(const Node& node) {
    const Part& part = node.parts[node.part];
    // At least full + 1 jobs at or above the breakpoint, or at most `full`: every solution is one or the
    // other, up to the order of identical jobs, and neither allows the relaxed optimum again.
    const std::size_t above = node.full + 1;
    consider(split_off(node.parts, node.part, {part.kind, node.split, part.last, above}));
    const std::size_t below = part.count - node.full;
    consider(split_off(node.parts, node.part, {part.kind, part.first, node.split, below}));
  }

  static Parts split_off(Parts parts, std::size_t index, const Part& narrowed) {
    parts[index].count -= narrowed.count;
    if (parts[index].count == 0) {
      parts[index] = narrowed;
    } else {
      parts.push_back(narrowed);
    }
    return parts;
  }

  void consider(Parts parts) {
    double draw = 0;
    double yield = 0;
    std::vector<Piece> pieces;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Part& part = parts[p];
      const std::vector<Breakpoint>& curve = curve_of(part);
      draw += static_cast<double>(part.count) * curve[part.first].draw;
      yield += static_cast<double>(part.count) * curve[part.first].yield;
      for (const EnvelopePiece& piece : concave_envelope(curve, part.first, part.last)) {
        pieces.push_back({p, piece, part.count});
      }
    }
    sort_by_falling_slope(pieces);
    consider(parts, pieces, draw, yield);
  }

  void consider(const Parts& parts, const std::vector<Piece>& pieces, double draw, double yield) {
    ++best_.nodes;
    effort_ += static_cast<long long>(pieces.size()) + 1;
    const double rounding = 1e-12 * budget_;
    if (draw > budget_ + rounding) return;  // no solution in this subproblem
    const Relaxed relaxed = fill(pieces, budget_ - draw, yield);
    if (!best_.draws.empty() && relaxed.bound <= best_.objective) return;
    const bool in_gap = relaxed.critical < pieces.size() && relaxed.fraction > 0 &&
                        pieces[relaxed.critical].envelope.has_gap();
    double objective = relaxed.bound;
    if (in_gap) objective -= gap_at(parts, pieces[relaxed.critical], relaxed.fraction);
    if (best_.draws.empty() || objective > best_.objective) {
      best_.objective = objective;
      best_.draws = draws_of(parts, pieces, relaxed);
    }
    if (!in_gap) return;
    const Piece& piece = pieces[relaxed.critical];
    open_.push({relaxed.bound, parts, piece.part, relaxed.full, deepest(parts[piece.part], piece.envelope)});
  }

  static Relaxed fill(const std::vector<Piece>& pieces, double left, double yield) {
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      const EnvelopePiece& envelope = pieces[p].envelope;
      const double wanted = envelope.width * static_cast<double>(pieces[p].count);
      if (wanted > left) {
        const double jobs = std::max(0.0, left) / envelope.width;
        const auto full = std::min(static_cast<std::size_t>(jobs), pieces[p].count - 1);
        return {yield + jobs * envelope.width * envelope.slope, p, full, jobs - static_cast<double>(full)};
      }
      left -= wanted;
      yield += wanted * envelope.slope;
    }
    return {yield, pieces.size(), 0, 0};
  }

  // How far the curve lies below its envelope at a fraction of a piece.
  double gap_at(const Parts& parts, const Piece& piece, double fraction) const {
    const std::vector<Breakpoint>& curve = curve_of(parts[piece.part]);
    const double into = fraction * piece.envelope.width;
    const Breakpoint& start = curve[piece.envelope.from];
    return std::max(0.0, start.yield + into * piece.envelope.slope - yield_at(curve, start.draw + into));
  }

  std::size_t deepest(const Part& part, const EnvelopePiece& piece) const {
    const std::vector<Breakpoint>& curve = curve_of(part);
    std::size_t found = piece.from + 1;
    double depth = -std::numeric_limits<double>::infinity();
    for (std::size_t k = piece.from + 1; k < piece.to; ++k) {
      const double chord = curve[piece.from].yield + piece.slope * (curve[k].draw - curve[piece.from].draw);
      if (chord - curve[k].yield > depth) {
        depth = chord - curve[k].yield;
        found = k;
      }
    }
    return found;
  }

  std::vector<double> draws_of(const Parts& parts, const std::vector<Piece>& pieces,
                               const Relaxed& relaxed) const {
    // The breakpoint each part has reached; the critical part's first `full` jobs are one piece further.
    std::vector<std::size_t> reached(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) reached[p] = parts[p].first;
    for (std::size_t p = 0; p < relaxed.critical; ++p) reached[pieces[p].part] = pieces[p].envelope.to;
    std::vector<double> draws(prepared_.jobs);
    std::vector<std::size_t> assigned(prepared_.kinds.size(), 0);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Kind& kind = prepared_.kinds[parts[p].kind];
      const bool is_critical = relaxed.critical < pieces.size() && pieces[relaxed.critical].part == p;
      for (std::size_t copy = 0; copy < parts[p].count; ++copy) {
        double draw = kind.curve[reached[p]].draw;
        if (is_critical) {
          const EnvelopePiece& piece = pieces[relaxed.critical].envelope;
          if (copy < relaxed.full) draw = kind.curve[piece.to].draw;
          if (copy == relaxed.full) draw += relaxed.fraction * piece.width;
        }
        draws[kind.jobs[assigned[parts[p].kind]++]] = draw;
      }
    }
    return draws;
  }

  const Prepared& prepared_;
  double budget_;
  OracleOptions options_;
  std::priority_queue<Node> open_;
  Optimum best_;
  long long effort_ = 0;
};

Oracle::Oracle(const Problem& problem) {
  const auto prepared = std::make_shared<Prepared>();
  prepared->kinds = sort_into_kinds(problem);
  prepared->jobs = problem.jobs.size();
  for (std::size_t k = 0; k < prepared->kinds.size(); ++k) {
    const Kind& kind = prepared->kinds[k];
    const auto count = static_cast<double>(kind.jobs.size());
    prepared->root.push_back({k, 0, kind.curve.size() - 1, kind.jobs.size()});
    prepared->root_draw += count * kind.curve.front().draw;
    prepared->root_yield += count * kind.curve.front().yield;
    prepared->scale += count * kind.curve.back().yield;
    for (const EnvelopePiece& piece : concave_envelope(kind.curve, 0, kind.curve.size() - 1)) {
      prepared->root_pieces.push_back({k, piece, kind.jobs.size()});
    }
  }
  sort_by_falling_slope(prepared->root_pieces);
  prepared_ = prepared;
}

Optimum Oracle::solve(double budget, const OracleOptions& options) const {
  assert(budget >= prepared_->root_draw * (1 - 1e-9));
  return Search(*prepared_, budget, options).run();
}

}  // namespace wattflex::allocate
