// One vector offset operator over time, apart from the others: where its pin is by its drives, its
// paths and its material, before constraints and arthra. See voo_motion.h for what it computes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nodes/geometry/voo_set.h"
#include "nodes/kernels/motion_path.h"
#include "nodes/kernels/restoration.h"

namespace sinew::kernels {

// A pin as things that can be added: differences of pins are pins, too.
struct VooPin {
  Vec3d head{0, 0, 0}, vector{0, 0, 0};
  double twist = 0;

  VooPose pose() const { return {head, head + vector, twist}; }
  VooPin operator-(const VooPin& b) const {
    return {head - b.head, vector - b.vector, twist - b.twist};
  }
  VooPin operator+(const VooPin& b) const {
    return {head + b.head, vector + b.vector, twist + b.twist};
  }
  VooPin operator*(double s) const { return {s * head, s * vector, s * twist}; }
};

inline VooPin pin_of(const VooPose& pose) { return {pose.head, pose.vector(), pose.twist}; }

class LoneVoo {
 public:
  // From a moment on it is led or let go, or a hand has it.
  struct Span {
    double from = 0;
    bool held = true;
    VooPin deviation;
    std::optional<Restoration> swing;
    double catching = 0;
    const VooPull* pull = nullptr;
  };

  // `from` stays where it is. `paths`: of its travels.
  LoneVoo(const VooMember& from, std::span<const std::shared_ptr<const PathMotion>> paths);

  VooPin pin(double t) const;
  VooCoefficients coefficients(double t) const;
  bool field_varies() const { return field_varies_; }
  // What counts at a time; nullptr: it was always led.
  const Span* span_at(double t) const;
  // e of the pin at a place, with its sign: see VooStrainState. `span`: what counts then.
  double strain(const VooPose& at, const Span* span) const;
  // When the pin of that span is at rest, and where it is then if nothing leads its vector: what
  // stays of its strain. Nothing: none of it does.
  struct Rest {
    double at = 0;
    VooPin pin;
  };
  std::optional<Rest> rest_of(const Span& span, double t) const;
  // Whether it may go so far from its direction at rest that its frame has to be carried along.
  bool may_turn_over() const;
  // Moments at which the pin's motion may bend.
  void add_breaks(std::vector<double>& breaks) const;

 private:
  struct Drive {
    VooQuantity what;
    ChartPieces chart, by;
    double at(double s) const { return chart.evaluate(s) * by.evaluate(s); }
  };
  struct Travel {
    VooCarried carried;
    bool on_path;
    std::shared_ptr<const PathMotion> motion;
    Vec3d start;
  };
  struct Event {
    double at;
    enum class Kind : uint8_t { hold, let_go, pull, release } kind;
    const VooPull* pull = nullptr;
  };

  double size_of(const VooPin& away) const;
  bool is_pressed(const VooPin& away) const;
  VooPin led(double t) const;
  void carry(const Travel& travel, double s, Vec3d& head, Vec3d& tip,
             std::optional<Vec3d>& aim) const;
  VooPin base(double t, bool held) const;
  VooPin free_or_led(const Span& span, double t) const;
  double share(const Span& span, double t) const;
  VooPin pulled(const Span& span, double t) const;
  std::vector<Event> events_of(const VooStuff& stuff) const;
  void make_spans(const VooStuff& stuff);

  const VooMember& from_;
  VooPin rest_;
  std::vector<Drive> drives_;
  std::vector<Travel> travels_;
  std::vector<Span> spans_;
  bool field_varies_ = false;
};

}  // namespace sinew::kernels
