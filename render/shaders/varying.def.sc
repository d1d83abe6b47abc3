vec3 v_world    : TEXCOORD0 = vec3(0.0, 0.0, 0.0);
vec3 v_normal   : NORMAL    = vec3(0.0, 0.0, 1.0);
vec4 v_colour   : COLOR0    = vec4(1.0, 1.0, 1.0, 1.0);
vec3 v_corner   : TEXCOORD1 = vec3(1.0, 1.0, 1.0);
float v_value   : TEXCOORD2 = 0.0;
vec4 v_place    : TEXCOORD3 = vec4(0.0, 0.0, 0.0, 0.0);

vec3 a_position  : POSITION;
vec4 a_normal    : NORMAL;
vec4 a_color0    : COLOR0;
vec2 a_texcoord0 : TEXCOORD0;
float a_texcoord1 : TEXCOORD1;
vec4 i_data0     : TEXCOORD7;
vec4 i_data1     : TEXCOORD6;
vec4 i_data2     : TEXCOORD5;
vec4 i_data3     : TEXCOORD4;
