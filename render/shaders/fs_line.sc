$input v_colour, v_place

#include <bgfx_shader.sh>

void main()
{
	float part = clamp(v_place.y + 0.5 - abs(v_place.x), 0.0, 1.0);
	gl_FragColor = vec4(v_colour.xyz, v_colour.w * part);
}
