// The sockets of the group that is looked at: what is inside of it becomes a parameter or a result
// of the group itself, gets another name, or is taken back. Each is one step.
#pragma once

#include <string>

#include "app/editor/session.h"

namespace sinew::editor {

// Which socket of a group: among what it takes, or among what it gives.
enum class GroupSide : unsigned char { input, output };

// Why it cannot be done here; empty: it can.
std::string why_not_exposed(const Session& session, const std::string& node,
                            const std::string& input);
std::string why_output_not_exposed(const Session& session, const std::string& node,
                                   const std::string& output);

// Gives the group that is being looked at a socket with the parameter's value as its standard one,
// a `group.input` node if it has none, and the link. What changes over time goes to the instances
// that there are, since it is theirs to set now.
Result<void> expose(Session& session, const std::string& node, const std::string& input);
// The same for what a node inside gives. `also`: what belongs to the same step.
Result<void> expose_output(Session& session, const std::string& node, const std::string& output,
                           const std::vector<Edit>& also = {});

// The socket goes, with its links inside and at every instance, and with what instances set.
Result<void> unexpose(Session& session, GroupSide side, const std::string& socket);
// Another name for it; links stay, since they go by its id.
Result<void> rename_socket(Session& session, GroupSide side, const std::string& socket,
                           const std::string& name);
// What the socket is called now.
std::string socket_name(const Session& session, GroupSide side, const std::string& socket);

// Whether a node is the border of the group that is looked at, and which.
bool is_border(const Session& session, const NodeDoc& node, GroupSide side);

}  // namespace sinew::editor
