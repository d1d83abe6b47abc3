#include "nodes/kernels/voo_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/voo_frame.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t tiles_per_piece = voo_piece / voo_tile;
// What a blend counts at the very edge: more than nothing, so that one that acts alone acts fully.
constexpr double least_falloff = 1e-6;  // of 1 - delta
// A power below 1 of the damping rises without bound where the damping is 0.
constexpr double steepest = 1e6;

struct Delta {
  double value = 0;
  Vec3d slope{0, 0, 0};  // per metre
};

// Not more than 1, and flat from there on.
Delta limited(const Delta& d) { return d.value < 1 ? d : Delta{1, Vec3d::Zero()}; }

class FieldShape {
 public:
  explicit FieldShape(const Voo& voo)
      : centre_(voo.field.centre), head_(voo.rest.head), tip_(voo.rest.tip) {
    const Eigen::Matrix3d frame = rest_frame(voo.rest);
    const std::array<double, 3>& r = voo.field.radii;
    across_v_ = frame.col(1) / r[0];
    across_w_ = frame.col(2) / r[1];
    along_ = frame.col(0) / r[2];
    per_cap_ = 1 / voo.field.cap;
  }

  double value(const Vec3d& p) const {
    switch (centre_) {
      case VooCentre::head:
        return std::sqrt(polar2(p - head_, -1));
      case VooCentre::tip:
        return std::sqrt(polar2(p - tip_, 1));
      case VooCentre::both: {
        const double a = std::sqrt(polar2(p - head_, -1)), b = std::sqrt(polar2(p - tip_, 1));
        // Outside of both, the nearer field: above 1, and continuous at the edges.
        return a > 1 && b > 1 ? std::min(a, b) : std::min(a, 1.0) * std::min(b, 1.0);
      }
      case VooCentre::length:
        break;
    }
    const Vec3d q = p - (head_ + tip_) / 2;
    const double z = along_.dot(q), left = 1 - z * z;
    if (!(left > 0)) return std::numeric_limits<double>::infinity();
    return std::hypot(across_v_.dot(q), across_w_.dot(q)) / std::sqrt(left);
  }

  // Both are finite only where the value is; at the centre itself the slope is 0.
  Delta with_slope(const Vec3d& p) const {
    switch (centre_) {
      case VooCentre::head:
        return polar(p - head_, -1);
      case VooCentre::tip:
        return polar(p - tip_, 1);
      case VooCentre::both: {
        const Delta a = limited(polar(p - head_, -1)), b = limited(polar(p - tip_, 1));
        return {a.value * b.value, a.slope * b.value + b.slope * a.value};
      }
      case VooCentre::length:
        break;
    }
    const Vec3d q = p - (head_ + tip_) / 2;
    const double x = across_v_.dot(q), y = across_w_.dot(q), z = along_.dot(q);
    const double left = 1 - z * z, across = std::hypot(x, y);
    if (!(left > 0)) return {std::numeric_limits<double>::infinity(), Vec3d::Zero()};
    const double root = std::sqrt(left);
    Delta d{across / root, across * z / (left * root) * along_};
    if (across > 0) d.slope += (x * across_v_ + y * across_w_) / (across * root);
    return d;
  }

 private:
  // The cap is where u points away from the pin: +1 at the tip, -1 at the head.
  double along_scale(double z, double outward) const { return z * outward > 0 ? per_cap_ : 1; }
  double polar2(const Vec3d& q, double outward) const {
    const double x = across_v_.dot(q), y = across_w_.dot(q), z = along_.dot(q);
    const double zs = z * along_scale(z, outward);
    return x * x + y * y + zs * zs;
  }
  Delta polar(const Vec3d& q, double outward) const {
    const double x = across_v_.dot(q), y = across_w_.dot(q), z = along_.dot(q);
    const double scale = along_scale(z, outward), zs = z * scale;
    const double value = std::sqrt(x * x + y * y + zs * zs);
    if (!(value > 0)) return {};
    return {value, (x * across_v_ + y * across_w_ + zs * scale * along_) / value};
  }

  VooCentre centre_;
  Vec3d head_, tip_;
  Vec3d across_v_, across_w_, along_;  // v / A, w / B, u / C
  double per_cap_ = 1;
};

// damp of delta and its derivative.
class Damping {
 public:
  Damping(const Voo& voo, const ChartPieces& chart) : c_(voo.coefficients), chart_(chart) {}

  double value(double delta) const {
    const double base = chart_.evaluate(place(delta));
    if (!(base > 0)) return 1;
    return 1 - c_.flexibility * (c_.weight == 1 ? base : std::pow(base, c_.weight));
  }
  double slope(double delta) const {
    const double x = delta + c_.locality;
    if (!(x > 0 && x < 1)) return 0;
    const double base = chart_.evaluate(x), tangent = chart_.tangent(x);
    double power = 1;
    if (c_.weight != 1) power = base > 0 ? c_.weight * std::pow(base, c_.weight - 1) : 0;
    if (base < 0) power = 0;
    return std::clamp(-c_.flexibility * power * tangent, -steepest, steepest);
  }

 private:
  double place(double delta) const { return std::clamp(delta + c_.locality, 0.0, 1.0); }

  const VooCoefficients& c_;
  const ChartPieces& chart_;
};

void put_slope(std::vector<float>& slopes, std::size_t entry, std::size_t lane, const Vec3d& s) {
  for (std::size_t k = 0; k < 3; ++k) {
    slopes[3 * voo_tile * entry + voo_tile * k + lane] = static_cast<float>(s[k]);
  }
}
Vec3d get_slope(const std::vector<float>& slopes, std::size_t entry, std::size_t lane) {
  Vec3d s;
  for (std::size_t k = 0; k < 3; ++k) s[k] = slopes[3 * voo_tile * entry + voo_tile * k + lane];
  return s;
}

// Makes one influence: which tiles, then what is in them.
class Maker {
 public:
  Maker(const Voo& voo, std::span<const Vec3f> rest, const VooInfluenceOptions& options)
      : shape_(voo),
        chart_(voo.damping),
        damping_(voo, chart_),
        everywhere_(voo.field.beyond == VooBeyond::as_edge),
        rest_(rest),
        options_(options) {}

  VooInfluence make(CancelView stop) {
    const std::size_t count = rest_.size(), pieces = (count + voo_piece - 1) / voo_piece;
    std::vector<uint16_t> masks((count + voo_tile - 1) / voo_tile);
    made_.vertex_count = count;
    made_.first.assign(pieces + 1, 0);
    made_.whole.assign(pieces, 0);
    parallel_blocks(
        count,
        [&](std::size_t begin, std::size_t end) {
          stop.check();
          made_.first[begin / voo_piece + 1] = find_tiles(begin, end, masks);
        },
        voo_piece);
    for (std::size_t p = 0; p < pieces; ++p) made_.first[p + 1] += made_.first[p];
    reserve(made_.first.back());
    parallel_each(pieces, [&](std::size_t piece) {
      stop.check();
      fill_piece(piece, masks);
    });
    for (const uint16_t m : made_.mask) {
      made_.active_count += static_cast<std::size_t>(__builtin_popcount(m));
    }
    return std::move(made_);
  }

 private:
  uint32_t find_tiles(std::size_t begin, std::size_t end, std::vector<uint16_t>& masks) const {
    uint32_t found = 0;
    for (std::size_t at = begin; at < end; at += voo_tile) {
      uint32_t mask = 0;
      const std::size_t used = std::min(voo_tile, end - at);
      for (std::size_t i = 0; i < used; ++i) {
        const bool active = everywhere_ || shape_.value(rest_[at + i].cast<double>()) <= 1;
        mask |= static_cast<uint32_t>(active) << i;
      }
      masks[at / voo_tile] = static_cast<uint16_t>(mask);
      found += mask != 0;
    }
    return found;
  }

  void reserve(std::size_t tiles) {
    made_.tiles.resize(tiles);
    made_.mask.resize(tiles);
    made_.damp.resize(voo_tile * tiles);
    if (options_.viscous) made_.viscous.resize(voo_tile * tiles);
    if (options_.falloff) made_.falloff.resize(voo_tile * tiles);
    if (!options_.slopes) return;
    made_.damp_slope.resize(3 * voo_tile * tiles);
    if (options_.viscous) made_.viscous_slope.resize(3 * voo_tile * tiles);
    if (options_.falloff) made_.falloff_slope.resize(3 * voo_tile * tiles);
  }

  void fill_piece(std::size_t piece, const std::vector<uint16_t>& masks) {
    std::size_t entry = made_.first[piece], active = 0;
    const std::size_t end = std::min((piece + 1) * tiles_per_piece, masks.size());
    for (std::size_t tile = piece * tiles_per_piece; tile < end; ++tile) {
      if (masks[tile] == 0) continue;
      active += static_cast<std::size_t>(__builtin_popcount(masks[tile]));
      made_.tiles[entry] = static_cast<uint32_t>(tile);
      made_.mask[entry] = masks[tile];
      for (std::size_t lane = 0; lane < voo_tile; ++lane) {
        if (masks[tile] >> lane & 1) fill_vertex(entry, lane, tile * voo_tile + lane);
      }
      ++entry;
    }
    made_.whole[piece] = active == std::min(voo_piece, rest_.size() - piece * voo_piece);
  }

  void fill_vertex(std::size_t entry, std::size_t lane, std::size_t vertex) {
    const Vec3d place = rest_[vertex].cast<double>();
    const std::size_t at = voo_tile * entry + lane;
    const Delta d = options_.slopes ? limited(shape_.with_slope(place))
                                    : Delta{std::min(shape_.value(place), 1.0), Vec3d::Zero()};
    made_.damp[at] = static_cast<float>(damping_.value(d.value));
    if (options_.viscous) {
      made_.viscous[at] = static_cast<float>(options_.viscous->evaluate(d.value));
    }
    const bool fades = d.value < 1 - least_falloff;
    const double inside = fades ? 1 - d.value : least_falloff;
    if (options_.falloff) {
      made_.falloff[at] = static_cast<float>(inside * inside);
    }
    if (!options_.slopes) return;
    put_slope(made_.damp_slope, entry, lane, damping_.slope(d.value) * d.slope);
    if (options_.viscous) {
      put_slope(made_.viscous_slope, entry, lane, options_.viscous->tangent(d.value) * d.slope);
    }
    if (options_.falloff && fades) {
      put_slope(made_.falloff_slope, entry, lane, -2 * inside * d.slope);
    }
  }

  FieldShape shape_;
  ChartPieces chart_;
  Damping damping_;
  bool everywhere_;
  std::span<const Vec3f> rest_;
  VooInfluenceOptions options_;
  VooInfluence made_;
};

// Calls visit(entry, lane, vertex of the piece) for what is active in a piece.
template <class Visit>
void for_each_active(const VooInfluence& influence, std::size_t piece, const Visit& visit) {
  for (std::size_t entry = influence.first[piece]; entry < influence.first[piece + 1]; ++entry) {
    const std::size_t start = influence.tiles[entry] * voo_tile - piece * voo_piece;
    for (std::size_t lane = 0; lane < voo_tile; ++lane) {
      if (influence.mask[entry] >> lane & 1) visit(entry, lane, start + lane);
    }
  }
}

std::size_t piece_count(const VooInfluence& influence) {
  return influence.first.empty() ? 0 : influence.first.size() - 1;
}

// Sums of phi over all that hold a vertex of one piece, and how many they are.
struct BlendSums {
  std::vector<double> phi = std::vector<double>(voo_piece);
  std::vector<Vec3d> slope = std::vector<Vec3d>(voo_piece, Vec3d::Zero());
  std::vector<uint32_t> count = std::vector<uint32_t>(voo_piece);
};

void add_falloff(const VooInfluence& from, double blend, std::size_t piece, BlendSums& sums) {
  const bool slopes = !from.falloff_slope.empty();
  for_each_active(from, piece, [&](std::size_t entry, std::size_t lane, std::size_t v) {
    sums.phi[v] += blend * static_cast<double>(from.falloff[voo_tile * entry + lane]);
    ++sums.count[v];
    if (slopes) sums.slope[v] += blend * get_slope(from.falloff_slope, entry, lane);
  });
}

void take_share(VooInfluence& of, double blend, std::size_t piece, const BlendSums& sums) {
  const bool slopes = of.has_slopes() && !of.falloff_slope.empty();
  for_each_active(of, piece, [&](std::size_t entry, std::size_t lane, std::size_t v) {
    const std::size_t at = voo_tile * entry + lane;
    const double damp = of.damp[at];
    double share = 1.0 / sums.count[v];
    Vec3d slope(0, 0, 0);
    if (sums.phi[v] > 0) {
      share = blend * static_cast<double>(of.falloff[at]) / sums.phi[v];
      if (slopes) {
        slope = (blend * get_slope(of.falloff_slope, entry, lane) - share * sums.slope[v]) /
                sums.phi[v];
      }
    }
    of.share[at] = static_cast<float>(share);
    of.damp[at] = static_cast<float>(share * damp);
    if (!slopes) return;
    put_slope(of.share_slope, entry, lane, slope);
    put_slope(of.damp_slope, entry, lane,
              share * get_slope(of.damp_slope, entry, lane) + damp * slope);
  });
}

}  // namespace

VooInfluence make_influence(const Voo& voo, std::span<const Vec3f> rest,
                            const VooInfluenceOptions& options, CancelView stop) {
  return Maker(voo, rest, options).make(stop);
}

double delta_at(const Voo& voo, const Vec3d& place) { return FieldShape(voo).value(place); }

double damp_at(const Voo& voo, const ChartPieces& damping, double delta) {
  return Damping(voo, damping).value(std::min(delta, 1.0));
}

void blend_influences(std::span<VooInfluence> influences, std::span<const double> blend) {
  if (influences.empty()) return;
  for (VooInfluence& i : influences) {
    i.share.assign(i.damp.size(), 0);
    if (!i.falloff_slope.empty()) i.share_slope.assign(i.damp_slope.size(), 0);
  }
  parallel_each(piece_count(influences[0]), [&](std::size_t piece) {
    BlendSums sums;
    for (std::size_t j = 0; j < influences.size(); ++j) {
      add_falloff(influences[j], blend[j], piece, sums);
    }
    for (std::size_t j = 0; j < influences.size(); ++j) {
      take_share(influences[j], blend[j], piece, sums);
    }
  });
}

void multiply_influences(std::span<VooInfluence* const> sharing) {
  if (sharing.size() < 2) return;
  const bool slopes = std::all_of(sharing.begin(), sharing.end(),
                                  [](const VooInfluence* i) { return i->has_slopes(); });
  parallel_each(piece_count(*sharing[0]), [&](std::size_t piece) {
    std::vector<double> product(voo_piece, 1);
    std::vector<Vec3d> slope(slopes ? voo_piece : 0, Vec3d::Zero());
    std::vector<uint32_t> count(voo_piece);
    for (const VooInfluence* i : sharing) {
      for_each_active(*i, piece, [&](std::size_t entry, std::size_t lane, std::size_t v) {
        const double damp = i->damp[voo_tile * entry + lane];
        if (slopes) slope[v] = slope[v] * damp + product[v] * get_slope(i->damp_slope, entry, lane);
        product[v] *= damp;
        ++count[v];
      });
    }
    for (VooInfluence* i : sharing) {
      for_each_active(*i, piece, [&](std::size_t entry, std::size_t lane, std::size_t v) {
        if (count[v] < 2) return;
        i->damp[voo_tile * entry + lane] = static_cast<float>(product[v]);
        if (slopes) put_slope(i->damp_slope, entry, lane, slope[v]);
      });
    }
  });
}

std::size_t byte_size(const VooInfluence& i) {
  std::size_t bytes = sizeof i + bytes_of(i.tiles).size() + bytes_of(i.mask).size() +
                      bytes_of(i.first).size() + bytes_of(i.whole).size();
  for (const std::vector<float>* values : {&i.damp, &i.viscous, &i.falloff, &i.share, &i.damp_slope,
                                           &i.viscous_slope, &i.falloff_slope, &i.share_slope}) {
    bytes += bytes_of(*values).size();
  }
  return bytes;
}

std::vector<uint32_t> active_vertices(const VooInfluence& influence) {
  std::vector<uint32_t> vertices;
  vertices.reserve(influence.active_count);
  for (std::size_t piece = 0; piece < piece_count(influence); ++piece) {
    for_each_active(influence, piece, [&](std::size_t, std::size_t, std::size_t v) {
      vertices.push_back(static_cast<uint32_t>(piece * voo_piece + v));
    });
  }
  return vertices;
}

std::vector<float> damping_of_vertices(const VooInfluence& influence) {
  std::vector<float> damp(influence.vertex_count, 0);
  for (std::size_t piece = 0; piece < piece_count(influence); ++piece) {
    for_each_active(influence, piece, [&](std::size_t entry, std::size_t lane, std::size_t v) {
      damp[piece * voo_piece + v] = influence.damp[voo_tile * entry + lane];
    });
  }
  return damp;
}

}  // namespace sinew::kernels
