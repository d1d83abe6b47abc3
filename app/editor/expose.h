// A parameter of a node inside a group becomes one of the group itself, so that each instance can
// have its own value.
#pragma once

#include <string>

#include "app/editor/session.h"

namespace sinew::editor {

// Why it cannot be done here; empty: it can.
std::string why_not_exposed(const Session& session, const std::string& node,
                            const std::string& input);

// Gives the group that is being looked at a socket with the parameter's value as its standard one,
// a `group.input` node if it has none, and the link: one step.
Result<void> expose(Session& session, const std::string& node, const std::string& input);

}  // namespace sinew::editor
