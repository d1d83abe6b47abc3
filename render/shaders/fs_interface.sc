$input v_colour, v_place

// A picture times a colour. Letters, icons and plain boxes come from one picture, thumbnails and the
// scene from others.
#include <bgfx_shader.sh>

SAMPLER2D(s_picture, 0);

void main()
{
	gl_FragColor = v_colour * texture2DLod(s_picture, v_place.xy, 0.0);
}
