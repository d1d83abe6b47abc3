$input v_world, v_place

// The floor has no colour of its own: it is the backdrop, darker where the key does not reach it, and
// ruled if asked for. So it has no end.
#include <bgfx_shader.sh>
#include "light.sh"
#include "backdrop.sh"

uniform vec4 u_ruling;  // x: distance of lines in metres, y: strength, z: radius of the floor, w: fades with the view
uniform vec4 u_middle;  // xz: where the scene stands

float ruled(vec2 at, float distance)
{
	vec2 cells = at / distance;
	vec2 step_size = max(fwidth(cells), vec2_splat(1e-6));
	vec2 off = abs(fract(cells - 0.5) - 0.5) / step_size;
	float part = 1.0 - smoothstep(0.3, 1.3, min(off.x, off.y));
	return part * (1.0 - smoothstep(0.15, 0.5, max(step_size.x, step_size.y)));
}

void main()
{
	float up = u_tile.y + (0.5 + 0.5 * v_place.y / v_place.w) * u_tile.w;
	vec3 colour = backdrop(up);
	vec2 from_middle = v_world.xz - u_middle.xz;
	float away = length(from_middle) / u_ruling.z;
	float fade = (1.0 - smoothstep(0.25, 1.0, away)) * u_ruling.w;
	float seen = key_seen(v_world, vec3(0.0, 1.0, 0.0), picture_pixel(gl_FragCoord.xy));
	float covered = 1.0 - sky_seen(v_world, picture_pixel(gl_FragCoord.xy));
	float dark = (1.0 - (1.0 - 0.46 * (1.0 - seen)) * (1.0 - 0.42 * covered)) * fade;
	colour *= mix(vec3_splat(1.0), vec3(0.30, 0.33, 0.40), dark);
	float lines = 0.7 * ruled(v_world.xz, u_ruling.x) + ruled(v_world.xz, 10.0 * u_ruling.x);
	colour *= 1.0 - 0.22 * u_ruling.y * fade * clamp(lines, 0.0, 1.0);
	gl_FragColor = vec4(dithered(colour, picture_pixel(gl_FragCoord.xy)), 1.0);
}
