// The graphical libraries are compiled by our own CMake files from sources whose versions move
// on. These tests show that what came out of it links, runs, and fits together.

#include <bgfx/bgfx.h>
#include <bgfx/platform.h>
#include <bimg/decode.h>
#include <bx/allocator.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imnodes.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace {

// bgfx, on the thread of the test (renderFrame before init says so) and with no window.
class NoopDevice : public testing::Test {
 protected:
  void SetUp() override {
    bgfx::renderFrame();
    bgfx::Init init;
    init.type = bgfx::RendererType::Noop;
    init.resolution.width = 320;
    init.resolution.height = 200;
    ASSERT_TRUE(bgfx::init(init));
  }
  void TearDown() override { bgfx::shutdown(); }
};

TEST_F(NoopDevice, RunsFramesAndKeepsResources) {
  EXPECT_EQ(bgfx::getRendererType(), bgfx::RendererType::Noop);

  bgfx::VertexLayout layout;
  layout.begin().add(bgfx::Attrib::Position, 3, bgfx::AttribType::Float).end();
  EXPECT_EQ(layout.getStride(), 12);
  const std::array<float, 9> triangle{};
  const bgfx::VertexBufferHandle vertices =
      bgfx::createVertexBuffer(bgfx::copy(triangle.data(), sizeof(triangle)), layout);
  ASSERT_TRUE(bgfx::isValid(vertices));

  bgfx::setViewRect(0, 0, 0, 320, 200);
  bgfx::touch(0);
  const uint32_t first = bgfx::frame();
  bgfx::touch(0);
  EXPECT_GT(bgfx::frame(), first);
  bgfx::destroy(vertices);
}

TEST(Bgfx, OffersTheRenderersThatSinewUses) {
  std::array<bgfx::RendererType::Enum, bgfx::RendererType::Count> types{};
  const uint8_t count =
      bgfx::getSupportedRenderers(static_cast<uint8_t>(types.size()), types.data());
  const auto offers = [&](bgfx::RendererType::Enum type) {
    return std::find(types.begin(), types.begin() + count, type) != types.begin() + count;
  };
  EXPECT_TRUE(offers(bgfx::RendererType::Noop));
  EXPECT_TRUE(offers(bgfx::RendererType::OpenGL));
  EXPECT_TRUE(offers(bgfx::RendererType::Vulkan));
}

// A 2 by 1 picture in the simplest of formats: a TGA, red and then blue, stored as BGR.
TEST(Bimg, DecodesAPicture) {
  const std::array<uint8_t, 24> tga{0, 0, 2, 0, 0,  0,  0, 0, 0,    0,    0, 0,
                                    2, 0, 1, 0, 24, 32, 0, 0, 0xff, 0xff, 0, 0};
  bx::DefaultAllocator allocator;
  bimg::ImageContainer* image = bimg::imageParse(
      &allocator, tga.data(), static_cast<uint32_t>(tga.size()), bimg::TextureFormat::RGBA8);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(image->m_width, 2u);
  EXPECT_EQ(image->m_height, 1u);
  const auto* pixels = static_cast<const uint8_t*>(image->m_data);
  EXPECT_EQ(std::vector<uint8_t>(pixels, pixels + 8),
            (std::vector<uint8_t>{0xff, 0, 0, 0xff, 0, 0, 0xff, 0xff}));
  bimg::imageFree(image);
}

// Contexts of the three interface libraries, on a screen that does not exist.
class Interface : public testing::Test {
 protected:
  void SetUp() override {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImPlot::CreateContext();
    ImNodes::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(1280, 720);
    io.DeltaTime = 1.0f / 60.0f;
    io.BackendFlags |=
        ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
  }
  void TearDown() override {
    ImNodes::DestroyContext();
    ImPlot::DestroyContext();
    // What a renderer would do on shutdown: let go of the textures it was handed.
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext();
  }

  // Vertices of one frame that `build` fills. A renderer would upload the textures; we say so.
  template <typename Build>
  static int vertices_of_frame(Build build) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(1280, 720));
    ImGui::Begin("window");
    build();
    ImGui::End();
    ImGui::Render();
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->SetTexID(1);
      texture->SetStatus(ImTextureStatus_OK);
    }
    return ImGui::GetDrawData()->TotalVtxCount;
  }
};

TEST_F(Interface, HasTheFeaturesThatSinewCountsOn) {
  EXPECT_GE(IMGUI_VERSION_NUM, 19200);
  EXPECT_EQ(sizeof(ImDrawIdx), 4u) << "a canvas of a thousand nodes needs 32-bit indices";
  EXPECT_TRUE(ImGui::GetIO().Fonts->AddFontDefault() != nullptr);
}

TEST_F(Interface, DrawsTextPlotsAndNodes) {
  const auto nothing = [] {};
  const auto text = [] { ImGui::TextUnformatted("jellyfish"); };
  const auto plot = [] {
    const std::array<float, 4> wave{0, 1, 0, -1};
    if (ImPlot::BeginPlot("chart")) {
      ImPlot::PlotLine("wave", wave.data(), static_cast<int>(wave.size()));
      ImPlot::EndPlot();
    }
  };
  const auto nodes = [] {
    ImNodes::BeginNodeEditor();
    for (int node = 0; node < 2; ++node) {
      ImNodes::BeginNode(node);
      ImNodes::BeginNodeTitleBar();
      ImGui::TextUnformatted("twist");
      ImNodes::EndNodeTitleBar();
      ImNodes::BeginInputAttribute(10 + node);
      ImGui::TextUnformatted("mesh");
      ImNodes::EndInputAttribute();
      ImNodes::BeginOutputAttribute(20 + node);
      ImGui::TextUnformatted("mesh");
      ImNodes::EndOutputAttribute();
      ImNodes::EndNode();
    }
    ImNodes::Link(0, 20, 11);
    ImNodes::EndNodeEditor();
  };

  vertices_of_frame(nothing);  // the first frame of a window only measures
  const int empty = vertices_of_frame(nothing);
  EXPECT_GT(empty, 0);
  EXPECT_GT(vertices_of_frame(text), empty);
  EXPECT_GT(vertices_of_frame(plot), empty + 50);
  vertices_of_frame(nodes);
  EXPECT_GT(vertices_of_frame(nodes), empty + 50);
}

}  // namespace
