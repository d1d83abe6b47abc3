$input v_place

// The finished scene, its samples already averaged, onto the page that is read back or shown.
#include <bgfx_shader.sh>

SAMPLER2D(s_picture, 0);
uniform vec4 u_flip;  // x: 1 if the picture's first row is its lowest

void main()
{
	float y = u_flip.x > 0.5 ? v_place.y : 1.0 - v_place.y;
	gl_FragColor = vec4(texture2DLod(s_picture, vec2(v_place.x, y), 0.0).xyz, 1.0);
}
