$input v_colour, v_place

#include <bgfx_shader.sh>

SAMPLER2D(s_letters, 0);
SAMPLER2D(s_maps, 1);

void main()
{
	vec4 colour = v_colour;
	float letter = texture2DLod(s_letters, v_place.xy, 0.0).x;
	vec3 map_colour = texture2DLod(s_maps, v_place.xy, 0.0).xyz;
	if (v_place.z > 1.5)
	{
		colour.xyz = map_colour;
	}
	else if (v_place.z > 0.5)
	{
		colour.w *= letter;
	}
	gl_FragColor = colour;
}
