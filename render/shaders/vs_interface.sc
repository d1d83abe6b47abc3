$input a_position, a_texcoord0, a_color0
$output v_colour, v_place

// The interface: triangles in pixels of the window from its upper left.
#include <bgfx_shader.sh>

uniform vec4 u_screen;

void main()
{
	vec2 place = a_position.xy * u_screen.zw;
	gl_Position = vec4(2.0 * place.x - 1.0, 1.0 - 2.0 * place.y, 0.0, 1.0);
	v_colour = a_color0;
	v_place = vec4(a_texcoord0, 0.0, 0.0);
}
