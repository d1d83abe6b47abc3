$input v_place

#include <bgfx_shader.sh>
#include "light.sh"
#include "backdrop.sh"

void main()
{
	vec3 colour = backdrop(u_tile.y + v_place.y * u_tile.w);
	gl_FragColor = vec4(dithered(colour, picture_pixel(gl_FragCoord.xy)), 1.0);
}
