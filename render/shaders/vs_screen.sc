$input a_position
$output v_place

// One triangle that covers the screen. v_place: xy from 0 to 1, y up.
#include <bgfx_shader.sh>

void main()
{
	gl_Position = vec4(a_position.xy, 0.0, 1.0);
	v_place = vec4(0.5 + 0.5 * a_position.xy, 0.0, 0.0);
}
