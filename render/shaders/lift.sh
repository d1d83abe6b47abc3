// Signs on a surface stand a little in front of it, or it would swallow half of them. They move along
// the line of sight, so that they stay where they are in the picture.

uniform vec4 u_lift;  // xyz: the eye, or for parallel views the way to it; w: 1 if parallel

vec3 lifted(vec3 world, float part)
{
	return u_lift.w > 0.5 ? world + u_lift.xyz * part : mix(world, u_lift.xyz, part);
}
