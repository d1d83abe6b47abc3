$input a_position, a_normal, a_color0, a_texcoord1
$output v_world, v_normal, v_corner, v_value

// Bodies, as corners of triangles: place and normal from one stream, which corner it is from a
// second, the value to be coloured by from a third.
#include <bgfx_shader.sh>

void main()
{
	gl_Position = mul(u_viewProj, vec4(a_position, 1.0));
	v_world = a_position;
	v_normal = a_normal.xyz;
	v_corner = a_color0.xyz;
	v_value = a_texcoord1;
}
