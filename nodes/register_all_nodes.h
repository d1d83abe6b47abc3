// The one door through which a program learns of all nodes and of the values that they exchange.
#pragma once

namespace sinew {

class Registry;

void register_all_nodes(Registry& registry);

}  // namespace sinew
