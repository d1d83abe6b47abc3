$input v_world, v_normal, v_corner, v_value

#include <bgfx_shader.sh>
#include "light.sh"

uniform vec4 u_colour;  // sRGB
uniform vec4 u_shade;   // x: mode, y: 1 if flat, z: 1 if coloured by values, w: 1 if a veil
uniform vec4 u_scale;   // x: low, y: 1 / (high - low), z: row of the map, w: -
uniform vec4 u_wire;    // x: width in pixels, y: strength; rest: -
SAMPLER2D(s_maps, 1);

// Modes: 0 clay, 1 facets, 2 normals, 3 unlit.

// How much of this pixel is an edge: constant width on the screen, and fading where triangles become
// as small as pixels, which would be one black blot.
float edge_part(vec3 corner)
{
	vec3 step_size = max(fwidth(corner), vec3_splat(1e-6));
	vec3 pixels = corner / step_size;
	float nearest = min(pixels.x, min(pixels.y, pixels.z));
	float line_part = 1.0 - smoothstep(0.5 * u_wire.x - 0.5, 0.5 * u_wire.x + 0.5, nearest);
	float density = max(step_size.x, max(step_size.y, step_size.z));
	return line_part * (1.0 - smoothstep(0.35, 1.1, density));
}

void main()
{
	vec3 eye = to_eye(v_world);
	vec3 facet = cross(dFdx(v_world), dFdy(v_world));
	float extent = dot(facet, facet);
	facet = extent > 0.0 ? facet * inversesqrt(extent) : eye;
	facet = dot(facet, eye) < 0.0 ? -facet : facet;
	float length2 = dot(v_normal, v_normal);
	vec3 normal = length2 > 1e-8 ? v_normal * inversesqrt(length2) : facet;
	// Seen from behind: the triangle looks the other way.
	float behind = dot(normal, facet) < 0.0 ? 1.0 : 0.0;
	normal = behind > 0.5 ? -normal : normal;
	bool flat_shaded = u_shade.y > 0.5 || (u_shade.x > 0.5 && u_shade.x < 1.5);
	normal = flat_shaded ? facet : normal;

	float mode = u_shade.x + next_to_nothing(gl_FragCoord.xy);
	float coloured = u_shade.z + next_to_nothing(gl_FragCoord.xy);
	float veil = u_shade.w + next_to_nothing(gl_FragCoord.xy);
	float wire = u_wire.y - next_to_nothing(gl_FragCoord.xy);

	vec3 albedo = to_linear(u_colour.xyz);
	if (coloured > 0.5)
	{
		float part = clamp((v_value - u_scale.x) * u_scale.y, 0.0, 1.0);
		// Between the middles of the first and the last texel.
		albedo = to_linear(texture2DLod(s_maps, vec2(part * (255.0 / 256.0) + 0.5 / 256.0, u_scale.z), 0.0).xyz);
	}
	vec3 colour;
	if (mode > 2.5)
	{
		colour = to_screen(albedo);
	}
	else if (mode > 1.5)
	{
		colour = 0.5 + 0.5 * normal;
	}
	else
	{
		vec3 inner = mix(albedo, albedo * vec3(0.72, 0.66, 0.62), behind * (1.0 - u_shade.z));
		vec3 lit = studio(inner, v_world, normal, picture_pixel(gl_FragCoord.xy));
		// Colours that mean something must be found again in the legend, also in the shade.
		colour = exposed(mix(lit, albedo, 0.38 * u_shade.z));
	}
	if (wire > 0.0)
	{
		colour = mix(colour, colour * 0.25 + vec3(0.02, 0.025, 0.03), u_wire.y * edge_part(v_corner));
	}
	float alpha = u_colour.w;
	if (veil > 0.5)
	{
		float facing = clamp(dot(normal, eye), 0.0, 1.0);
		alpha *= mix(1.0, 0.22, pow(facing, 0.7));
	}
	gl_FragColor = vec4(dithered(colour, picture_pixel(gl_FragCoord.xy)), alpha);
}
