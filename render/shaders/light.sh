// The light of the studio, shared by everything that is lit: a warm key from the upper left with a
// contact-hardening shadow, a cool fill from the right, a rim from behind, and an ambient light
// that is a gradient from the floor to the sky, with no picture behind it.

uniform vec4 u_eye;         // xyz: the camera, or for parallel views the direction to it; w: 1 if parallel
uniform vec4 u_lights[3];   // xyz: towards the key, the fill and the rim
uniform mat4 u_to_shadow;   // world to the shadow map: x, y from 0 to 1, z the depth that it stores
uniform vec4 u_shadow;      // x: 1 / texels, y: tan of half the key's angle in map units a unit of depth, z: bias, w: 0 if off
uniform vec4 u_floor;       // x: height, y: 1 / radius of the scene, z: 1 if there is a floor, w: metres a map unit
uniform vec4 u_raster;      // xy: the tile's upper left pixel in the picture, z: its rows, w: 1 if they count from below
uniform mat4 u_to_sky;      // world to the map of heights, as above
uniform vec4 u_sky;         // x: reach in map units, y: map units a unit of depth, z: bias in map units, w: 0 if off
SAMPLER2D(s_shadow, 0);
SAMPLER2D(s_sky, 2);

// Next to nothing, but not the same everywhere. Where uniforms alone decide about a branch, Mesa's
// Vulkan for processors bakes their values into the shader and compiles it anew whenever any uniform
// changes: a third of a second for each frame in which the camera moves.
float next_to_nothing(vec2 pixel)
{
	return 1e-9 * pixel.x;
}

vec3 to_linear(vec3 c)
{
	return pow(max(c, vec3_splat(0.0)), vec3_splat(2.2));
}

vec3 to_screen(vec3 c)
{
	return pow(max(c, vec3_splat(0.0)), vec3_splat(1.0 / 2.2));
}

// Counted from the picture's upper left, whatever the graphics interface and the tile.
vec2 picture_pixel(vec2 pixel)
{
	return u_raster.xy + vec2(pixel.x, u_raster.w > 0.5 ? u_raster.z - pixel.y : pixel.y);
}

// Noise without a pattern that the eye finds [Jimenez14], from 0 to 1.
float pixel_noise(vec2 pixel)
{
	return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

// Half a step of eight bits to either side: gradients do not band.
vec3 dithered(vec3 c, vec2 pixel)
{
	return c + vec3_splat((pixel_noise(pixel) - 0.5) / 255.0);
}

vec3 to_eye(vec3 world)
{
	return u_eye.w > 0.5 ? u_eye.xyz : normalize(u_eye.xyz - world);
}

// Place k of n of a disc, evenly spread, turned and shifted outwards by less than a step.
vec2 disc_place(int k, float n, float turn, float shift)
{
	float r = sqrt((float(k) + shift) / n);
	float angle = float(k) * 2.39996323 + turn;
	return r * vec2(cos(angle), sin(angle));
}

float stored_depth(vec2 uv)
{
	return texture2DLod(s_shadow, uv, 0.0).x;
}

// How much of the key is seen, by percentage-closer soft shadows [Fernando05]: the mean depth of what
// stands in the way says how wide the penumbra is.
float key_seen(vec3 world, vec3 normal, vec2 pixel)
{
	if (u_shadow.w < 0.5 + next_to_nothing(pixel))
	{
		return 1.0;
	}
	float slope = 1.0 - max(dot(normal, u_lights[0].xyz), 0.0);
	vec3 lifted = world + normal * (u_floor.w * u_shadow.x * (1.0 + 2.0 * slope));
	vec3 place = mul(u_to_shadow, vec4(lifted, 1.0)).xyz;
	vec2 edge = min(place.xy, vec2_splat(1.0) - place.xy);
	if (min(edge.x, edge.y) < 0.0)
	{
		return 1.0;
	}
	float turn = 6.2831853 * pixel_noise(pixel);
	float shift = pixel_noise(pixel.yx + vec2(37.0, 17.0));
	// Where the map holds nothing it stores 1, which must not shade what lies beyond its depth.
	float receiver = place.z - u_shadow.z;
	float last = min(receiver, 0.9999);
	float search = u_shadow.y * 0.30;
	float count = 0.0;
	float depth = 0.0;
	for (int i = 0; i < 14; ++i)
	{
		float d = stored_depth(place.xy + disc_place(i, 14.0, turn, shift) * search);
		if (d < last)
		{
			count += 1.0;
			depth += d;
		}
	}
	if (count < 0.5)
	{
		return 1.0;
	}
	float width = clamp(u_shadow.y * (receiver - depth / count), 1.2 * u_shadow.x, search);
	// A wide penumbra tilts the bias, too: its outermost taps see a receiver at another depth.
	float slack = 0.6 * width / max(u_shadow.y, 1e-6) * 0.08;
	float lit = 0.0;
	for (int j = 0; j < 36; ++j)
	{
		lit += step(last - slack, stored_depth(place.xy + disc_place(j, 36.0, turn, shift) * width));
	}
	return lit / 36.0;
}

// How much of the sky is seen: what rises round a place by an angle e takes sin^2 e of what it stands
// before. From the heights alone, so that what hangs over a place covers it all the way down.
float sky_seen(vec3 world, vec2 pixel)
{
	if (u_sky.w < 0.5 + next_to_nothing(pixel))
	{
		return 1.0;
	}
	vec3 place = mul(u_to_sky, vec4(world, 1.0)).xyz;
	vec2 edge = min(place.xy, vec2_splat(1.0) - place.xy);
	if (min(edge.x, edge.y) < -u_sky.x)
	{
		return 1.0;
	}
	float turn = 6.2831853 * pixel_noise(pixel + vec2(11.0, 71.0));
	float shift = pixel_noise(pixel.yx + vec2(5.0, 29.0));
	float taken = 0.0;
	float all_weight = 0.0;
	for (int i = 0; i < 22; ++i)
	{
		vec2 part = disc_place(i, 22.0, turn, shift);
		// What is far away counts less and less, so that nothing begins suddenly.
		float weight = 1.0 - dot(part, part) * 0.97;
		vec2 way = part * u_sky.x;
		float depth = texture2DLod(s_sky, clamp(place.xy + way, 0.0, 1.0), 0.0).x;
		// Where the map holds nothing it stores 1: there is sky above, however deep the place lies.
		float above = depth < 0.9999 ? max((place.z - depth) * u_sky.y - u_sky.z, 0.0) : 0.0;
		taken += weight * above * above / (above * above + dot(way, way) + 1e-7);
		all_weight += weight;
	}
	return 1.0 - taken / all_weight;
}

// Light on a matte surface. `normal` looks towards the eye.
vec3 studio(vec3 albedo, vec3 world, vec3 normal, vec2 pixel)
{
	vec3 eye = to_eye(world);
	float facing = clamp(dot(normal, eye), 0.0, 1.0);
	float key = dot(normal, u_lights[0].xyz);
	float seen = key > 0.0 ? key_seen(world, normal, pixel) : 0.0;
	float fill = 0.5 + 0.5 * dot(normal, u_lights[1].xyz);
	float rim = max(dot(normal, u_lights[2].xyz), 0.0) * pow(1.0 - facing, 2.0);
	float up = 0.5 + 0.5 * normal.y;
	// Close to the floor less of the sky is seen, and nothing from below.
	float height = clamp((world.y - u_floor.x) * u_floor.y * 5.0, 0.0, 1.0);
	float open = mix(1.0, mix(0.35 + 0.65 * up, 1.0, height), u_floor.z);
	open *= 0.40 + 0.60 * sky_seen(world, pixel);
	vec3 light = vec3(1.0, 0.965, 0.92) * (1.22 * max(key, 0.0) * seen);
	light += vec3(0.82, 0.91, 1.0) * (0.20 * fill * fill);
	light += vec3(0.95, 0.98, 1.0) * (0.60 * rim);
	light += mix(vec3(0.19, 0.17, 0.16), vec3(0.34, 0.37, 0.42), up) * open;
	// A breath of gloss, wide and weak, so that the eye can follow a curve.
	vec3 middle = normalize(u_lights[0].xyz + eye);
	float gloss = 0.05 * pow(max(dot(normal, middle), 0.0), 18.0) * seen;
	return albedo * light + vec3_splat(gloss);
}

// Bright parts roll off instead of clipping.
vec3 exposed(vec3 c)
{
	return to_screen(c / (vec3_splat(1.0) + 0.18 * c));
}
