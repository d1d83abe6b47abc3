$input v_colour, v_place

#include <bgfx_shader.sh>

void main()
{
	float r = length(v_place.xy);
	float part = clamp(v_place.z + 0.5 - r, 0.0, 1.0);
	if (part <= 0.0)
	{
		discard;
	}
	// A darker rim, so that a point is seen on any colour.
	float rim = smoothstep(v_place.z - 1.6, v_place.z - 0.6, r);
	vec3 colour = mix(v_colour.xyz, v_colour.xyz * 0.35, rim * 0.8);
	gl_FragColor = vec4(colour, v_colour.w * part);
}
