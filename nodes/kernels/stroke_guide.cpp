#include "nodes/kernels/stroke_guide.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "nodes/kernels/point_grid.h"
#include "nodes/kernels/polyline.h"
#include "nodes/kernels/vectors.h"

namespace sinew::kernels {

namespace {

constexpr double tangent_reach = 1.0 / 32;       // of the body, to either side of a place
constexpr double most_of_line = 1.0 / 8;         // of a stroke, for short ones
constexpr double smoothing = 0.1;                // of what the strokes span
constexpr double apart = 1.0 / 64;               // of the body: places closer than this are one
constexpr double cancelled = 0.25;               // of a tangent
const double followed = std::cos(EIGEN_PI / 4);  // cosine: what goes another way is not followed

// The places of one stroke, far enough apart, and the directions in which the line goes there.
class TangentLine {
 public:
  TangentLine(std::span<const Vec3f> points, double size)
      : line_(points), reach_(std::min(tangent_reach * size, most_of_line * line_.length())) {
    const double length = line_.length();
    const Vec3d begins = line_.at(reach_) - line_.at(0),
                ends = line_.at(length) - line_.at(length - reach_);
    closed_ = (line_.at(length) - line_.at(0)).norm() < reach_ && begins.dot(ends) > 0;
  }

  void add_to(StrokeTangents& drawn, std::span<const Vec3f> points, uint32_t stroke) const {
    double last = -reach_;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double s = line_.arc(i);
      if (s - last < 0.5 * reach_) continue;
      // The end of a closed line is its beginning.
      if (closed_ && i > 0 && line_.length() - s < 0.5 * reach_) break;
      const Vec3d tangent = tangent_at(s);
      if (!(tangent.norm() > 0)) continue;
      last = s;
      drawn.points.push_back(points[i]);
      drawn.tangents.push_back(tangent.normalized().cast<float>());
      drawn.stroke.push_back(stroke);
    }
  }

 private:
  Vec3d place(double s) const {
    if (closed_ && s < 0) s += line_.length();
    if (closed_ && s > line_.length()) s -= line_.length();
    return line_.at(s);
  }

  // The chord; where the line turns right back, as it comes.
  Vec3d tangent_at(double s) const {
    const Vec3d chord = place(s + reach_) - place(s - reach_);
    if (chord.norm() > 1e-6 * reach_) return chord;
    return place(s) - place(s - reach_);
  }

  Polyline line_;
  double reach_;
  bool closed_ = false;
};

bool within(const Stroke& eraser, const Vec3f& point) {
  const Vec3d p = point.cast<double>();
  const double limit = static_cast<double>(eraser.radius) * eraser.radius;
  for (std::size_t i = 0; i < eraser.points.size(); ++i) {
    const Vec3d a = eraser.points[i].cast<double>();
    const Vec3d b = eraser.points[std::min(i + 1, eraser.points.size() - 1)].cast<double>();
    if (segment_distance2(p, a, b) <= limit) return true;
  }
  return false;
}

void erase(StrokeTangents& drawn, const Stroke& eraser, CancelView stop) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    stop.check();
    if (within(eraser, drawn.points[i])) continue;
    drawn.points[kept] = drawn.points[i];
    drawn.stroke[kept] = drawn.stroke[i];
    drawn.tangents[kept++] = drawn.tangents[i];
  }
  drawn.stroke.resize(kept);
  drawn.points.resize(kept);
  drawn.tangents.resize(kept);
}

// Places that are apart, and what is said there: the mean tangent, and the mean of the tensors.
struct Places {
  std::vector<Vec3f> points;
  std::vector<std::array<double, 9>> says;
};

Places merged(const StrokeTangents& strokes, CancelView stop) {
  Places places;
  if (strokes.size() == 0) return places;
  PointGrid grid(apart * strokes.body);
  const Vec3d origin = strokes.points[0].cast<double>();
  std::vector<double> count;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    const Vec3d at = strokes.points[i].cast<double>() - origin;
    const std::size_t place = grid.find(at).value_or(places.points.size());
    if (place == places.points.size()) {
      grid.add_if_free(at);
      places.points.push_back(strokes.points[i]);
      places.says.push_back({});
      count.push_back(0);
    }
    count[place] += 1;
    const Symmetric3 line = line_tensor(strokes.tangents[i]);
    for (std::size_t k = 0; k < 3; ++k)
      places.says[place][k] += strokes.tangents[i][static_cast<int>(k)];
    for (std::size_t k = 0; k < 6; ++k) places.says[place][3 + k] += line[k];
  }
  for (std::size_t p = 0; p < count.size(); ++p)
    for (double& v : places.says[p]) v /= count[p];
  return places;
}

// Places that are nearly in a plane, or on a line, are in it: how they waver across it would be
// taken for a slope, and carried through the body.
void flatten(std::vector<Vec3f>& points, double thin) {
  if (points.empty()) return;
  Vec3d middle = Vec3d::Zero();
  for (const Vec3f& p : points) middle += p.cast<double>() / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3f& p : points) {
    const Vec3d d = p.cast<double>() - middle;
    spread += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(spread);
  for (int k = 0; k < 3; ++k) {
    const Vec3d axis = eigen.eigenvectors().col(k);
    double low = 0, high = 0;
    for (const Vec3f& p : points) {
      const double u = axis.dot(p.cast<double>() - middle);
      low = std::min(low, u);
      high = std::max(high, u);
    }
    if (high - low >= thin) continue;
    for (Vec3f& p : points) p -= (axis.dot(p.cast<double>() - middle) * axis).cast<float>();
  }
}

// How well the field goes along its own strokes.
void count_missed(const StrokeTangents& strokes, StrokeField& field, CancelView stop) {
  const StrokeGuide guide = guide_at(field.rbf, strokes.points, stop);
  std::map<uint32_t, std::size_t> missed_of;
  std::size_t most = 0;
  field.places = strokes.size();
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    const Vec3d t = strokes.tangents[i].cast<double>();
    const double cosine = guide.lines.empty() ? t.dot(guide.arrows[i].cast<double>().normalized())
                                              : std::abs(t.dot(largest_direction(guide.lines[i])));
    if (cosine >= followed) continue;
    ++field.missed;
    const std::size_t count = ++missed_of[strokes.stroke[i]];
    if (count > most) field.worst_stroke = strokes.stroke[i];
    most = std::max(most, count);
  }
}

}  // namespace

StrokeTangents stroke_tangents(const Strokes& rest_space, double size, CancelView stop) {
  StrokeTangents drawn;
  drawn.body = size;
  for (std::size_t i = 0; i < rest_space.size(); ++i) {
    stop.check();
    const Stroke& stroke = rest_space.strokes[i];
    if (stroke.tool == StrokeTool::erase) erase(drawn, stroke, stop);
    if (stroke.tool != StrokeTool::brush || stroke.points.empty()) continue;
    TangentLine(stroke.points, size).add_to(drawn, stroke.points, static_cast<uint32_t>(i));
  }
  return drawn;
}

StrokeField solve_strokes(const StrokeTangents& strokes, FollowStrokes follow, CancelView stop) {
  StrokeField field;
  const std::size_t columns = follow == FollowStrokes::lines ? 9 : 3;
  Places places = merged(strokes, stop);
  flatten(places.points, tangent_reach * strokes.body);
  const std::size_t count = places.points.size();
  if (count == 0) return field;
  std::vector<double> values(columns * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < columns; ++k) values[k * count + i] = places.says[i][k];
  }
  RbfOptions options;
  options.smoothing = smoothing;
  field.rbf = solve_rbf(places.points, values, columns, options, stop);
  count_missed(strokes, field, stop);
  return field;
}

StrokeGuide guide_at(const RbfField& field, std::span<const Vec3f> points, CancelView stop) {
  StrokeGuide guide;
  if (field.columns == 0) return guide;
  const std::size_t count = points.size();
  std::vector<float> values(field.columns * count);
  evaluate(field, points, values, stop);
  guide.arrows.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    guide.arrows[i] = {values[i], values[count + i], values[2 * count + i]};
  }
  if (field.columns < 9) return guide;
  guide.lines.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 6; ++k) guide.lines[i][k] = values[(3 + k) * count + i];
  }
  return guide;
}

}  // namespace sinew::kernels
