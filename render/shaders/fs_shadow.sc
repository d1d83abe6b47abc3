#include <bgfx_shader.sh>

void main()
{
	gl_FragColor = vec4_splat(0.0);
}
