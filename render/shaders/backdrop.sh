// The paper behind the scene: a soft gradient, lighter above.
uniform vec4 u_backdrop[2];  // xyz: sRGB above and below
uniform vec4 u_tile;         // where the picture's tile lies in the picture: xy offset, zw size, as parts

vec3 backdrop(float up)
{
	float t = clamp(up, 0.0, 1.0);
	return mix(u_backdrop[1].xyz, u_backdrop[0].xyz, t * t * (3.0 - 2.0 * t));
}
