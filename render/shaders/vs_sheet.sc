$input a_position, a_texcoord0, a_color0
$output v_colour, v_place

// Signs on the glass: letters, boxes, colour bars. Positions are pixels of the whole picture from its
// upper left; z says what it is: 0 a plain box, 1 a letter, 2 a piece of a colour map.
#include <bgfx_shader.sh>

uniform vec4 u_screen;
uniform vec4 u_corner;  // xy: pixels of the tile's upper left corner in the picture

void main()
{
	vec2 place = (a_position.xy - u_corner.xy) * u_screen.zw;
	gl_Position = vec4(2.0 * place.x - 1.0, 1.0 - 2.0 * place.y, 0.0, 1.0);
	v_colour = a_color0;
	v_place = vec4(a_texcoord0, a_position.z, 0.0);
}
