#include "nodes/geometry/skeleton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew {
namespace {

// hip - knee - foot, and a hand that belongs to nothing.
Skeleton leg() {
  return {{{"hip", {0, 3, 0}}, {"knee", {0, 1, 0}}, {"foot", {0, 0, 0}}, {"hand", {9, 9, 9}}},
          {{"thigh", {0, 1}}, {"", {2, 1}}}};
}

TEST(Skeleton, is_a_forest) {
  EXPECT_EQ(validate(leg()), std::nullopt);
  EXPECT_EQ(validate(Skeleton{}), std::nullopt);
  Skeleton ring = leg();
  ring.bones.push_back({"shin", {2, 0}});
  EXPECT_EQ(validate(ring),
            "'shin': it closes a ring, but there must be one way at most from 'foot' to 'hip'");
  Skeleton twice = leg();
  twice.bones.push_back({"", {1, 0}});
  EXPECT_TRUE(validate(twice));
}

TEST(Skeleton, says_what_is_wrong) {
  Skeleton s = leg();
  s.bones[1].joints[1] = 4;
  EXPECT_EQ(validate(s), "bone 2: it ends at joint 5, but there are 4");
  s.bones[1].joints[1] = 2;
  EXPECT_EQ(validate(s), "bone 2: it begins and ends at the same joint");
  s = leg();
  s.joints[3].name.clear();
  s.joints[3].place.y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(validate(s), "joint 4: its place must be finite, and at most 1e+12 m from the origin");
  s = leg();
  s.joints.resize(most_joints + 1);
  EXPECT_EQ(validate(s), "there are 4097 joints, but at most 4096 are taken");
}

TEST(Skeleton, poses_must_be_of_it) {
  const Skeleton s = leg();
  const uint32_t controls[] = {2, 0};
  Pose pose = Pose::at_rest(s, controls);
  EXPECT_EQ(validate(pose, s), std::nullopt);
  EXPECT_EQ(pose.control_joints(), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(pose.places, s.rest_places());
  pose.places[1].x() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(validate(pose, s),
            "'knee': its place in the pose must be finite, and at most 1e+12 m from the origin");
  pose.places.pop_back();
  EXPECT_EQ(validate(pose, s), "the pose has 3 places, but the skeleton has 4 joints");
  pose = Pose::at_rest(s, controls);
  pose.controls.pop_back();
  EXPECT_TRUE(validate(pose, s));
}

TEST(Skeleton, measures_along_its_bones) {
  Skeleton s = leg();
  s.joints[2].place = {1, 1, 0};  // the knee bends: as far along the bones, nearer through the air
  const uint32_t targets[] = {2, 3, 0};
  const std::vector<double> d = path_distances(s, targets);
  EXPECT_EQ(d, (std::vector<double>{3, no_path, 0,           // hip
                                    1, no_path, 2,           // knee
                                    0, no_path, 3,           // foot
                                    no_path, 0, no_path}));  // hand
  EXPECT_TRUE(path_distances(s, {}).empty());
}

TEST(Skeleton, content_tells_names_places_and_bones_apart) {
  const auto content = [](const auto& value) {
    std::vector<int> all;
    visit_content(value, [&](std::span<const std::byte> bytes) {
      for (const std::byte b : bytes) all.push_back(static_cast<int>(b));
    });
    return all;
  };
  const Skeleton s = leg();
  Skeleton other = s;
  EXPECT_EQ(content(s), content(other));
  other.bones[1].joints = {1, 2};
  EXPECT_NE(content(s), content(other));
  other = s;
  other.joints[0].name = "hi";
  EXPECT_NE(content(s), content(other));
  const uint32_t one[] = {1}, two[] = {2};
  EXPECT_NE(content(Pose::at_rest(s, one)), content(Pose::at_rest(s, two)));
  EXPECT_GT(byte_size(s), byte_size(Skeleton{}));
  EXPECT_GT(byte_size(Pose::at_rest(s, one)), byte_size(Pose{}));
}

}  // namespace
}  // namespace sinew
