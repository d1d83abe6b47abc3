// What the mouse does in each panel, for the sheet of shortcuts.
#include "app/editor/actions.h"

namespace sinew::editor {

void add_gestures(Actions& actions) {
  actions.add_gestures({
      {Where::viewport, "Drag", "Goes round"},
      {Where::viewport, "Shift+drag or right drag", "Moves the view"},
      {Where::viewport, "Wheel", "Closer or farther"},
      {Where::viewport, "Click", "Chooses the node that made it"},
      {Where::viewport, "Shift+click", "Chooses one more: a joint, a point, a node"},
      {Where::viewport, "Click with the touch tool", "Holds the body there, by the chosen node"},
      {Where::canvas, "Drag on empty canvas", "Chooses what it touches"},
      {Where::canvas, "Middle or right drag", "Moves the view"},
      {Where::canvas, "Wheel", "Zooms about the mouse"},
      {Where::canvas, "Drag from a socket", "A link"},
      {Where::canvas, "Drop a link on empty canvas", "Adds a node that fits"},
      {Where::canvas, "Drop a node on a link", "Goes in between"},
      {Where::canvas, "Double click on a link", "Bends it"},
      {Where::canvas, "Alt+click on a link", "Cuts it"},
      {Where::canvas, "Right click on a link", "Inserts a node, bends or removes it"},
      {Where::canvas, "Ctrl+right drag", "Cuts the links that are crossed"},
      {Where::canvas, "Double click on a group", "Goes inside"},
      {Where::canvas, "Drop a link on the border of a group", "A socket more"},
      {Where::canvas, "Right click on a socket", "Exposes, renames or removes it"},
      {Where::canvas, "Click on an eye", "Sees it in the viewport"},
      {Where::canvas, "Drop a file or a preset", "Becomes a node"},
      {Where::chart, "Drag a point", "Moves it; Shift finer, Ctrl on the grid, Esc as it was"},
      {Where::chart, "Ctrl+click or double click", "A new point"},
      {Where::chart, "Right click on a point", "Removes it"},
      {Where::chart, "Drag beside the points", "Chooses several"},
      {Where::chart, "Wheel, middle drag", "Zooms and moves"},
      {Where::timeline, "Drag", "Goes to a frame"},
      {Where::timeline, "Drag an end of the loop", "The part that is played"},
      {Where::timeline, "Drag a key", "To another time"},
      {Where::timeline, "Right click on a key", "Removes it"},
      {Where::anywhere, "Drag a number", "Changes it; Shift finer, Ctrl coarser"},
      {Where::anywhere, "Click on a number", "Types it, with a unit or arithmetic"},
      {Where::anywhere, "Right click on a parameter", "Resets, animates, exposes"},
      {Where::anywhere, "Double click in the library", "Opens a preset, and it plays"},
      {Where::anywhere, "Drag from the library", "Inserts a preset as a group"},
      {Where::anywhere, "Drop a file on the window", "Opens or imports it"},
  });
}

}  // namespace sinew::editor
