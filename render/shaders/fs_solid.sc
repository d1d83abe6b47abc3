$input v_world, v_normal, v_colour

#include <bgfx_shader.sh>
#include "light.sh"

void main()
{
	vec3 eye = to_eye(v_world);
	vec3 normal = normalize(v_normal);
	normal = dot(normal, eye) < 0.0 ? -normal : normal;
	vec3 colour = exposed(studio(to_linear(v_colour.xyz), v_world, normal, picture_pixel(gl_FragCoord.xy)));
	// What can be seen through is densest at its rim, so that its form shows.
	float facing = clamp(dot(normal, eye), 0.0, 1.0);
	float alpha = v_colour.w < 1.0 ? v_colour.w * mix(2.6, 0.6, facing) : 1.0;
	gl_FragColor = vec4(dithered(colour, picture_pixel(gl_FragCoord.xy)), min(alpha, 1.0));
}
