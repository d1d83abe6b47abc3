$input a_position, i_data0, i_data1, i_data2
$output v_colour, v_place

// A segment as a rectangle of constant width on the screen: x of the corner is 0 at the first end and
// 1 at the second, y is -1 or 1 to the sides. i_data0: first end, width in pixels; i_data1: second
// end, lift; i_data2: colour.
#include <bgfx_shader.sh>

#include "lift.sh"

uniform vec4 u_screen;  // xy: size in pixels, zw: 1 / size

void main()
{
	vec4 a = mul(u_viewProj, vec4(lifted(i_data0.xyz, i_data1.w), 1.0));
	vec4 b = mul(u_viewProj, vec4(lifted(i_data1.xyz, i_data1.w), 1.0));
	// What lies behind the eye is cut off, or the segment would turn over.
	float near_w = 1e-4 * max(abs(a.w), abs(b.w));
	if (a.w < near_w && b.w > near_w)
	{
		a = mix(a, b, (near_w - a.w) / (b.w - a.w));
	}
	else if (b.w < near_w && a.w > near_w)
	{
		b = mix(b, a, (near_w - b.w) / (a.w - b.w));
	}
	vec2 along = (b.xy / b.w - a.xy / a.w) * u_screen.xy;
	float size = length(along);
	along = size > 1e-5 ? along / size : vec2(1.0, 0.0);
	vec2 across = vec2(-along.y, along.x);
	vec4 place = a_position.x < 0.5 ? a : b;
	// A pixel wider than asked for, in which it fades; and half a width longer at both ends.
	float half_width = 0.5 * i_data0.w + 0.5;
	vec2 shift = across * (a_position.y * half_width) + along * ((2.0 * a_position.x - 1.0) * 0.5 * i_data0.w);
	place.xy += shift * 2.0 * u_screen.zw * place.w;
	gl_Position = place;
	v_colour = i_data2;
	v_place = vec4(a_position.y * half_width, 0.5 * i_data0.w, 0.0, 0.0);
}
