// How literals of some types are changed by hand (graph/literal_forms.h).
#pragma once

#include "graph/literal_forms.h"

namespace sinew::values {

LiteralForms pose_graph_forms();
LiteralForms found_forms();
LiteralForms pose_keys_forms();

}  // namespace sinew::values
