#include "tests/app/real_window.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace sinew::testing {
namespace {

using nlohmann::json;

void wait_milliseconds(int count) { std::this_thread::sleep_for(std::chrono::milliseconds(count)); }

}  // namespace

bool comes_true(const std::function<bool()>& what) {
  for (int i = 0; i < 3000; ++i) {
    if (what()) return true;
    wait_milliseconds(20);
  }
  return false;
}

void RealWindow::start(const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.insert(all.end(), {"--landmarks", folder_ / "landmarks.json"});
  std::filesystem::remove(folder_ / "landmarks.json");
  // A home of its own: nothing is remembered from the person who tests.
  const std::string home = folder_.path.string();
  program_ = std::make_unique<RunningProgram>(all, folder_.path,
                                              Environment{{"HOME", home},
                                                          {"XDG_CONFIG_HOME", home + "/config"},
                                                          {"XDG_STATE_HOME", home + "/state"},
                                                          {"XDG_CACHE_HOME", home + "/cache"},
                                                          {"WAYLAND_DISPLAY", ""}});
  const bool shown =
      comes_true([&] { return !program_->running() || screen_now().contains("landmarks"); });
  if (!shown || !program_->running())
    throw std::runtime_error("the window did not come: " + program_->wait().err);
  hand_.focus();
}

void RealWindow::expect_ends() {
  EXPECT_TRUE(comes_true([&] { return !program_->running(); }));
  const Ran ran = program_->wait();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, "");
}

json RealWindow::screen_now() const {
  json now = json::parse(folder_.read("landmarks.json"), nullptr, false);
  return now.is_object() ? now : json::object();
}

void RealWindow::settle() {
  json last;
  int calm = 0;
  comes_true([&] {
    const json now = screen_now();
    calm = now.contains("state") && now == last && !now["state"]["busy"].get<bool>() ? calm + 1 : 0;
    last = now;
    return calm > 6;
  });
}

bool RealWindow::sees(const std::string& landmark) const {
  return screen_now()["landmarks"].contains(landmark);
}

bool RealWindow::sees_any(const std::string& beginning) const {
  const json marks = screen_now().value("landmarks", json::object());
  for (const auto& [name, mark] : marks.items())
    if (name.starts_with(beginning)) return true;
  return false;
}

std::array<int, 4> RealWindow::area(const std::string& landmark) const {
  json found;
  const bool there = comes_true([&] {
    const json now = screen_now();
    if (!now.contains("landmarks") || !now["landmarks"].contains(landmark)) return false;
    found = now["landmarks"][landmark];
    return true;
  });
  if (!there) {
    ADD_FAILURE() << "there is no " << landmark << " on the screen: " << screen_now().dump();
    throw std::runtime_error("there is no " + landmark);
  }
  return found.get<std::array<int, 4>>();
}

RealWindow::Place RealWindow::place(const std::string& landmark) const {
  const std::array<int, 4> a = area(landmark);
  return {(a[0] + a[2]) / 2, (a[1] + a[3]) / 2};
}

void RealWindow::xdotool(const std::string& words) const {
  const std::string command = "xdotool " + words;
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("failed: " + command + " (./dev setup installs xdotool)");
}

// A slow machine may take long to see what was done: each thing is waited for.
void RealWindow::move(Place to) {
  const std::array<int, 2> corner = hand_.position();
  xdotool("mousemove " + std::to_string(corner[0] + to.x) + " " + std::to_string(corner[1] + to.y));
  const json there = {to.x, to.y};
  EXPECT_TRUE(comes_true([&] { return state().value("mouse", json()) == there; }))
      << "the mouse is not seen at " << there << " but at " << state().value("mouse", json());
}

void RealWindow::hold(int button, bool down) {
  xdotool((down ? "mousedown " : "mouseup ") + std::to_string(button));
  const int mask = button == 1 ? 1 : button == 3 ? 2 : 4;
  EXPECT_TRUE(comes_true([&] { return ((state().value("buttons", 0) & mask) != 0) == down; }));
}

void RealWindow::click(Place at, int button) {
  move(at);
  hold(button, true);
  hold(button, false);
}

void RealWindow::double_click(Place at) {
  move(at);
  xdotool("click --repeat 2 --delay 80 1 sleep 0.1");
}

void RealWindow::drag(const std::vector<Place>& way, int button) {
  move(way.front());
  hold(button, true);
  constexpr int steps = 6;
  for (std::size_t k = 1; k < way.size(); ++k)
    for (int i = 1; i <= steps; ++i)
      move({way[k - 1].x + (way[k].x - way[k - 1].x) * i / steps,
            way[k - 1].y + (way[k].y - way[k - 1].y) * i / steps});
  hold(button, false);
}

void RealWindow::wheel(Place at, int notches) {
  move(at);
  xdotool("click --repeat " + std::to_string(std::abs(notches)) + " --delay 40 " +
          (notches > 0 ? "4" : "5"));
}

void RealWindow::key(const std::string& chord) {
  const uint64_t before = state().value("keys", uint64_t{0});
  const auto strokes = static_cast<uint64_t>(1 + std::count(chord.begin(), chord.end(), '+'));
  xdotool("key " + chord);
  comes_true([&] { return state().value("keys", uint64_t{0}) >= before + strokes; });
}

bool RealWindow::key_until(const std::string& chord, const std::function<bool()>& done) {
  for (int i = 0; i < 20; ++i) {
    key(chord);
    for (int k = 0; k < 50; ++k) {
      if (done()) return true;
      wait_milliseconds(20);
    }
  }
  return false;
}

void RealWindow::type(const std::string& letters) {
  const uint64_t before = state().value("keys", uint64_t{0});
  xdotool("type --delay 40 '" + letters + "'");
  comes_true([&] { return state().value("keys", uint64_t{0}) >= before + letters.size(); });
}

json RealWindow::saved() {
  settle();
  const auto modified = [&] { return state().value("modified", true); };
  EXPECT_TRUE(key_until("ctrl+s", [&] { return !modified(); })) << "it is not saved";
  return json::parse(folder_.read(document_), nullptr, false);
}

void RealWindow::photograph(const std::string& name) {
  settle();
  const char* folder = std::getenv("SINEW_SCREENSHOTS");
  if (!folder) return;
  const std::string command = std::string("import -window root '") + folder + "/" + name + ".png'";
  EXPECT_EQ(std::system(command.c_str()), 0) << "import comes with imagemagick";
}

double RealWindow::processor_seconds() {
  std::ifstream stat("/proc/" + std::to_string(program_->pid()) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  // The name, in parentheses, may hold anything.
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

bool RealWindow::shows_clay(Place at) {
  const auto pixel = hand_.pixel(at.x, at.y);
  return pixel && (*pixel)[0] > (*pixel)[2] + 8;
}

}  // namespace sinew::testing
