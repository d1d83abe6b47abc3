$input a_position, i_data0, i_data1
$output v_colour, v_place

// A disc of constant size on the screen. i_data0: place, pixels across; i_data1: colour.
#include <bgfx_shader.sh>

#include "lift.sh"

uniform vec4 u_screen;

void main()
{
	vec4 place = mul(u_viewProj, vec4(lifted(i_data0.xyz, 0.004), 1.0));
	vec2 corner = a_position.xy * (0.5 * i_data0.w + 1.0);
	place.xy += corner * 2.0 * u_screen.zw * place.w;
	gl_Position = place;
	v_colour = i_data1;
	v_place = vec4(corner, 0.5 * i_data0.w, 0.0);
}
