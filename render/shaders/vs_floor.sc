$input a_position
$output v_world, v_place

#include <bgfx_shader.sh>

void main()
{
	vec4 place = mul(u_viewProj, vec4(a_position, 1.0));
	gl_Position = place;
	v_world = a_position;
	v_place = place;
}
