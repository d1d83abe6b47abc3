$input a_position, a_normal, i_data0, i_data1, i_data2, i_data3
$output v_world, v_normal, v_colour

// Copies of one small solid: an arrow, a needle, a ball. i_data0 .. i_data2: the rows of the affine
// map to the world; i_data3: colour.
#include <bgfx_shader.sh>

void main()
{
	vec4 at = vec4(a_position, 1.0);
	vec3 world = vec3(dot(i_data0, at), dot(i_data1, at), dot(i_data2, at));
	// Normals go by the cofactors, which need no inverse and survive a flat map.
	vec3 x = vec3(i_data0.x, i_data1.x, i_data2.x);
	vec3 y = vec3(i_data0.y, i_data1.y, i_data2.y);
	vec3 z = vec3(i_data0.z, i_data1.z, i_data2.z);
	vec3 normal = cross(y, z) * a_normal.x + cross(z, x) * a_normal.y + cross(x, y) * a_normal.z;
	float size = length(normal);
	gl_Position = mul(u_viewProj, vec4(world, 1.0));
	v_world = world;
	v_normal = size > 0.0 ? normal / size : vec3(0.0, 1.0, 0.0);
	v_colour = i_data3;
}
