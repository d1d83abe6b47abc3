#include "app/editor/panels/viewport/rest_body.h"

#include <algorithm>
#include <limits>

namespace sinew::editor {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector4d;

// The place of a triangle that is closest to a point, as weights of its corners.
Vector3f closest_weights(const Vector3f& p, const Vector3f& a, const Vector3f& b,
                         const Vector3f& c) {
  const Vector3f ab = b - a, ac = c - a, ap = p - a;
  const float d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vector3f bp = p - b;
  const float d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const float t = d1 / (d1 - d3);
    return {1 - t, t, 0};
  }
  const Vector3f cp = p - c;
  const float d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const float t = d2 / (d2 - d6);
    return {1 - t, 0, t};
  }
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - t, t};
  }
  const float sum = va + vb + vc;
  if (!(sum > 0)) return {1, 0, 0};
  return {va / sum, vb / sum, vc / sum};
}

Vector3f mixed(const draw::Mesh& mesh, uint32_t triangle, const Vector3f& weights) {
  const draw::Triangle& t = mesh.triangles[triangle];
  return weights[0] * mesh.positions[t[0]] + weights[1] * mesh.positions[t[1]] +
         weights[2] * mesh.positions[t[2]];
}

Vector3f normal_of(const draw::Mesh& mesh, uint32_t triangle) {
  const draw::Triangle& t = mesh.triangles[triangle];
  const Vector3f& a = mesh.positions[t[0]];
  const Vector3f n = (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a);
  const float length = n.norm();
  return length > 0 ? Vector3f(n / length) : Vector3f(0, 0, 0);
}

}  // namespace

void RestBody::follow(Sight& sight, const std::string& path) {
  const CompiledGraph& graph = *sight.editor.session.graph();
  const int node = path.empty() ? -1 : graph.find_node(path);
  target_ = {};
  problem_ = "there is no body";
  if (node < 0) return;
  const CompiledNode& n = graph.node(node);
  for (std::size_t i = 0; i < n.output_types.size() && target_.node < 0; ++i) {
    const Target values{node, static_cast<int>(i)};
    if (!n.output_types[i] || !n.output_types[i]->per_element) continue;
    const std::optional<Target> body = graph.body_of(values);
    if (!body) continue;
    target_ = *body;
    painted_target_ = values;
    painted_ = path + "." + n.type->outputs[i].name;
  }
  if (target_.node < 0) {
    problem_ = "it is not linked to a body yet";
    return;
  }
  watch(sight);
}

void RestBody::follow_input(Sight& sight, const std::string& path, int input) {
  const CompiledGraph& graph = *sight.editor.session.graph();
  const int node = path.empty() ? -1 : graph.find_sink(path);
  target_ = painted_target_ = {};
  painted_.clear();
  problem_ = "it is not linked to a body yet";
  if (node < 0 || input < 0) return;
  const CompiledNode& n = graph.node(node);
  if (input >= static_cast<int>(n.inputs.size())) return;
  const auto& links = n.inputs[static_cast<std::size_t>(input)].links;
  if (links.empty() || links.front().output < 0) return;
  target_ = {links.front().node, links.front().output};
  watch(sight);
}

// What it is in the newest shot.
void RestBody::watch(Sight& sight) {
  const CompiledGraph& graph = *sight.editor.session.graph();
  sight.editor.player.watch(target_);
  const std::shared_ptr<const Shot>& shot = sight.editor.player.shot();
  const TargetResult* result =
      shot && shot->graph->size() == graph.size() ? shot->result(target_) : nullptr;
  if (!result) {
    problem_ = "the body is not computed yet";
    return;
  }
  problem_.clear();
  const CompiledNode& made = graph.node(target_.node);
  source_ = made.path + "." + made.type->outputs[static_cast<std::size_t>(target_.output)].name;
  if (result->key != key_ || mesh_.positions.empty()) take(*shot, *result);
  if (mesh_.triangles.empty()) problem_ = "the body has no surface";
}

void RestBody::take(const Shot& /*shot*/, const TargetResult& result) {
  draw::DrawList list;
  const Shown what{source_, source_, result.value, result.key, {}, {}};
  key_ = result.key;
  mesh_ = {};
  if (!show(what, {}, list) || list.meshes.empty()) return;
  mesh_ = std::move(list.meshes.front());
  box_.setEmpty();
  for (const draw::Triangle& t : mesh_.triangles)
    for (const uint32_t v : t) box_.extend(mesh_.positions[v]);
  gather_triangles();
  ++revision_;
}

void RestBody::gather_triangles() {
  first_of_.assign(mesh_.positions.size() + 1, 0);
  for (const draw::Triangle& t : mesh_.triangles)
    for (const uint32_t v : t) ++first_of_[v + 1];
  for (std::size_t i = 1; i < first_of_.size(); ++i) first_of_[i] += first_of_[i - 1];
  triangles_of_.resize(3 * mesh_.triangles.size());
  std::vector<uint32_t> next(first_of_.begin(), first_of_.end() - 1);
  for (uint32_t t = 0; t < mesh_.triangles.size(); ++t)
    for (const uint32_t v : mesh_.triangles[t]) triangles_of_[next[v]++] = t;
}

bool RestBody::is(const draw::Mesh& shown) const {
  return known() &&
         (shown.topology == mesh_.topology || (shown.triangles.size() == mesh_.triangles.size() &&
                                               shown.positions.size() == mesh_.positions.size()));
}

const draw::Mesh* RestBody::shown_in(const draw::DrawList& list) const {
  if (!known()) return nullptr;
  for (const draw::Mesh& mesh : list.meshes)
    if (mesh.topology == mesh_.topology) return &mesh;
  for (const draw::Mesh& mesh : list.meshes)
    if (is(mesh)) return &mesh;
  return nullptr;
}

Vector3f RestBody::at_rest(uint32_t triangle, const Vector3f& weights) const {
  return mixed(mesh_, triangle, weights);
}

// Least squares: the sum over the vertices of |A x + b - r|^2 is smallest where its slope is 0.
Eigen::Affine3f RestBody::map_to_rest(const draw::Mesh& shown) const {
  Matrix4d left = Matrix4d::Zero();
  Eigen::Matrix<double, 4, 3> right = Eigen::Matrix<double, 4, 3>::Zero();
  for (std::size_t i = 0; i < mesh_.positions.size() && i < shown.positions.size(); ++i) {
    const Vector4d x(static_cast<double>(shown.positions[i].x()),
                     static_cast<double>(shown.positions[i].y()),
                     static_cast<double>(shown.positions[i].z()), 1);
    left += x * x.transpose();
    right += x * mesh_.positions[i].cast<double>().transpose();
  }
  const Eigen::ColPivHouseholderQR<Matrix4d> solver(left);
  Eigen::Affine3f map = Eigen::Affine3f::Identity();
  if (solver.rank() < 4) return map;  // flat: there is no inside
  const Eigen::Matrix<double, 4, 3> found = solver.solve(right);
  map.linear() = found.topRows<3>().transpose().cast<float>();
  map.translation() = found.row(3).transpose().cast<float>();
  return map;
}

std::optional<RestBody::Anchor> RestBody::anchor(const Vector3f& rest_place) const {
  if (!known()) return std::nullopt;
  std::size_t nearest = mesh_.positions.size();
  float best = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
    if (first_of_[i] == first_of_[i + 1]) continue;
    const float d = (mesh_.positions[i] - rest_place).squaredNorm();
    if (d < best) {
      best = d;
      nearest = i;
    }
  }
  if (nearest == mesh_.positions.size()) return std::nullopt;
  Anchor found;
  best = std::numeric_limits<float>::max();
  for (uint32_t k = first_of_[nearest]; k < first_of_[nearest + 1]; ++k) {
    const uint32_t t = triangles_of_[k];
    const draw::Triangle& corners = mesh_.triangles[t];
    const Vector3f weights =
        closest_weights(rest_place, mesh_.positions[corners[0]], mesh_.positions[corners[1]],
                        mesh_.positions[corners[2]]);
    const Vector3f away = rest_place - mixed(mesh_, t, weights);
    if (away.squaredNorm() >= best) continue;
    best = away.squaredNorm();
    found = {t, weights, away.dot(normal_of(mesh_, t))};
  }
  return found;
}

Vector3f RestBody::place(const Anchor& anchor, const draw::Mesh& shown) {
  return mixed(shown, anchor.triangle, anchor.weights) +
         anchor.height * normal_of(shown, anchor.triangle);
}

const InputInfo* input_of_type(const NodeType& type, std::string_view name) {
  for (const InputInfo& input : type.inputs)
    if (input.type && input.type->name == name) return &input;
  return nullptr;
}

}  // namespace sinew::editor
