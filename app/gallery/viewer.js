// Shows the moving model of a preset in WebGL 2, with soft light.
//
// Frames lie one after another in a vertex buffer; the vertex shader blends two of them, so that motion
// is smooth at any rate of the screen.

const FIELD_OF_VIEW = (28 * Math.PI) / 180;
const HOLD_SECONDS = 0.6; // how long the end of a motion that is no cycle stays before it starts again

// ---------------------------------------------------------------- matrices, column by column

function multiply(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      for (let k = 0; k < 4; ++k) product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return product;
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((x) => x / length);
}

function mixed(a, b, share) {
  return a.map((x, axis) => x + (b[axis] - x) * share);
}

// Right, up and backward of a camera that looks against `back`.
function axesOf(back) {
  const right = unit(cross(Math.abs(back[1]) > 0.999 ? [0, 0, -1] : [0, 1, 0], back));
  return { right, up: cross(back, right), back };
}

function viewMatrix({ right, up, back }, eye) {
  return new Float32Array([
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
}

function perspective(aspect, near, far) {
  const focal = 1 / Math.tan(FIELD_OF_VIEW / 2);
  return new Float32Array([
    focal / aspect, 0, 0, 0, 0, focal, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, (2 * far * near) / (near - far), 0]);
}

function parallel(radius) {
  return new Float32Array([1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -1 / radius, 0, 0, 0, 0, 1]);
}

// ---------------------------------------------------------------- camera

// Turns about a target. What the hand asks for is in `wish`; the view glides there.
class OrbitCamera {
  constructor() {
    this.reset();
    this.now = { ...this.wish };
  }

  reset() {
    this.wish = { yaw: 0.55, pitch: 0.24, zoom: 1, panX: 0, panY: 0, follow: this.wish ? this.wish.follow : 0 };
  }

  turn(yaw, pitch) {
    this.wish.yaw += yaw;
    this.wish.pitch = Math.min(1.5, Math.max(-0.35, this.wish.pitch + pitch));
  }

  // Says whether there was room to zoom.
  zoomBy(factor) {
    const before = this.wish.zoom;
    this.wish.zoom = Math.min(1.7, Math.max(0.2, before * factor));
    return this.wish.zoom !== before;
  }

  pan(x, y) {
    this.wish.panX = Math.min(2, Math.max(-2, this.wish.panX + x));
    this.wish.panY = Math.min(2, Math.max(-2, this.wish.panY + y));
  }

  // Towards the wish; says whether it still moves.
  glide(seconds, atOnce) {
    let moves = false;
    for (const [key, wish] of Object.entries(this.wish)) {
      const left = wish - this.now[key];
      const arrives = atOnce || Math.abs(left) < 1e-4;
      this.now[key] = arrives ? wish : this.now[key] + left * (1 - Math.exp(-seconds * 14));
      moves = moves || !arrives;
    }
    return moves;
  }

  // How far away a box fits into the picture, whichever way it is turned about the vertical.
  distanceFor(half, aspect) {
    const tangentY = Math.tan(FIELD_OF_VIEW / 2) * 0.84, tangentX = tangentY * aspect;
    let distance = 0;
    for (let turn = 0; turn < 12; ++turn) {
      const yaw = (turn * Math.PI) / 6;
      const pitch = 0.24;
      const { right, up, back } = axesOf(
        [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)]);
      for (let corner = 0; corner < 8; ++corner) {
        const at = half.map((h, axis) => ((corner >> axis) & 1 ? h : -h));
        distance = Math.max(distance, dot(at, back)
          + Math.max(Math.abs(dot(at, right)) / tangentX, Math.abs(dot(at, up)) / tangentY));
      }
    }
    return distance;
  }

  look(model, centre, aspect) {
    const { yaw, pitch, zoom, panX, panY, follow } = this.now;
    const far = this.distanceFor(model.whole, aspect);
    const near = model.travels ? this.distanceFor(model.extent, aspect) : far;
    const distance = (far + (near - far) * follow) * zoom;
    const axes = axesOf([Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)]);
    const target = mixed([0, 0, 0], centre, follow)
      .map((x, axis) => x - distance * (panX * axes.right[axis] + panY * axes.up[axis]));
    const eye = target.map((x, axis) => x + distance * axes.back[axis]);
    const matrix = multiply(perspective(aspect, 0.02 * distance, distance + 12), viewMatrix(axes, eye));
    return { matrix, eye, target, distance };
  }
}

// ---------------------------------------------------------------- light

// Two lights cast shadows: the key from the upper left, and the sky from above with a shadow so soft
// that it shows only where things come close to each other.
const LIGHTS = [
  { name: 'key', back: unit([-0.5, 1, 0.55]), size: 1024, softness: 0.035 },
  { name: 'sky', back: unit([0.05, 1, -0.04]), size: 512, softness: 0.13 },
];

const VERTEX_SHADER = `#version 300 es
in vec3 position_a, position_b, normal_a, normal_b, colour_a, colour_b;
uniform float blend;
uniform mat4 view;
centroid out vec3 place, normal, colour;
void main() {
  place = mix(position_a, position_b, blend);
  normal = mix(normal_a, normal_b, blend);
  colour = mix(colour_a, colour_b, blend);
  gl_Position = view * vec4(place, 1.0);
}`;

const SHADOW_FRAGMENT_SHADER = `#version 300 es
precision mediump float;
void main() {}`;

const VISIBILITY = `
uniform highp sampler2DShadow key_map, sky_map;
uniform mat4 key_view, sky_view;
uniform float reach; // of the region in which shadows are cast
// The share of a light that arrives: samples on a spiral, which is turned for each pixel so that the
// eye sees a soft edge and not copies of a hard one.
float visibility(highp sampler2DShadow map, mat4 light, vec3 at, float softness, float bias) {
  vec3 seen = (light * vec4(at, 1.0)).xyz * 0.5 + 0.5;
  if (any(greaterThan(abs(seen.xy - 0.5), vec2(0.5 + softness)))) return 1.0;
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float sum = 0.0;
  for (int k = 0; k < 16; ++k) {
    float angle = turn + 2.3999632 * float(k);
    vec2 offset = softness * sqrt((float(k) + 0.5) / 16.0) * vec2(cos(angle), sin(angle));
    vec2 spot = seen.xy + offset;
    bool outside = any(lessThan(spot, vec2(0.0))) || any(greaterThan(spot, vec2(1.0)));
    sum += outside ? 1.0 : texture(map, vec3(spot, min(seen.z - bias, 0.9999)));
  }
  return sum / 16.0;
}`;

const BODY_FRAGMENT_SHADER = `#version 300 es
precision highp float;
centroid in vec3 place, normal, colour;
uniform vec3 eye;
out vec4 shade;
${VISIBILITY}
void main() {
  vec3 n = normalize(normal);
  vec3 to_eye = normalize(eye - place);
  // The inside of an open body; but not the slivers of back sides along an outline.
  if (!gl_FrontFacing && dot(n, to_eye) < -0.2) n = -n;
  vec3 to_key = vec3(${LIGHTS[0].back.join(', ')});
  vec3 lifted = place + 0.03 * reach * n;
  float facing = max(0.0, (dot(n, to_key) + 0.12) / 1.12);
  float key = facing > 0.0 ? visibility(key_map, key_view, lifted, ${LIGHTS[0].softness}, 0.006) : 0.0;
  float sky = visibility(sky_map, sky_view, lifted, ${LIGHTS[1].softness}, 0.012);
  vec3 base = pow(colour, vec3(2.2));
  vec3 ambient = mix(vec3(0.30, 0.29, 0.29), vec3(0.56, 0.60, 0.66), 0.5 + 0.5 * n.y);
  vec3 light = ambient * mix(0.5, 1.0, sky) + vec3(0.78, 0.74, 0.68) * facing * mix(0.12, 1.0, key);
  float gloss = pow(max(0.0, dot(n, normalize(to_eye + to_key))), 40.0) * 0.07 * key;
  float rim = pow(1.0 - max(0.0, dot(n, to_eye)), 4.0) * 0.10 * (0.6 + 0.4 * n.y);
  vec3 lit = base * light + gloss + rim * (0.4 + base);
  // A shoulder, so that light clay stays modelled and does not burn out.
  lit = lit * (1.0 + lit * 0.25) / (1.0 + lit * 0.42);
  shade = vec4(pow(lit, vec3(1.0 / 2.2)), 1.0);
}`;

const GROUND_VERTEX_SHADER = `#version 300 es
uniform mat4 view;
uniform vec4 disc; // centre and radius
out vec3 place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  place = disc.xyz + disc.w * vec3(corner.x, 0.0, corner.y);
  gl_Position = view * vec4(place, 1.0);
}`;

const GROUND_FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 place;
uniform vec4 disc;
uniform float grid_step, grid_strength;
out vec4 shade;
${VISIBILITY}
void main() {
  float from_middle = length(place.xz - disc.xz) / disc.w;
  float fade = 1.0 - smoothstep(0.25, 1.0, from_middle);
  float key = visibility(key_map, key_view, place, ${LIGHTS[0].softness}, 0.004);
  float sky = visibility(sky_map, sky_view, place, ${LIGHTS[1].softness}, 0.004);
  vec2 cell = place.xz / grid_step;
  vec2 near = abs(fract(cell - 0.5) - 0.5) / fwidth(cell);
  float line = grid_strength * (1.0 - min(1.0, min(near.x, near.y)));
  float dark = 1.0 - (1.0 - 0.34 * (1.0 - key)) * (1.0 - 0.42 * (1.0 - sky)) * (1.0 - 0.14 * line);
  float glow = 0.30 * fade * (1.0 - dark);
  dark *= fade;
  shade = vec4(vec3(0.10, 0.11, 0.17) * dark + glow, dark + glow);
}`;

function compile(gl, vertexText, fragmentText) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertexText], [gl.FRAGMENT_SHADER, fragmentText]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  const attributes = ['position_a', 'normal_a', 'colour_a', 'position_b', 'normal_b', 'colour_b'];
  attributes.forEach((name, place) => gl.bindAttribLocation(program, place, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(program));
  }
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++k) {
    const { name } = gl.getActiveUniform(program, k);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

function makeShadowMap(gl, size) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
  const settings = [
    [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]];
  for (const [name, value] of settings) gl.texParameteri(gl.TEXTURE_2D, name, value);
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { texture, frame };
}

// ---------------------------------------------------------------- drawing

// What lies on the graphics card for one model. Made anew after the context was lost.
class StageRenderer {
  constructor(gl) {
    this.gl = gl;
    this.shadow = compile(gl, VERTEX_SHADER, SHADOW_FRAGMENT_SHADER);
    this.body = compile(gl, VERTEX_SHADER, BODY_FRAGMENT_SHADER);
    this.ground = compile(gl, GROUND_VERTEX_SHADER, GROUND_FRAGMENT_SHADER);
    this.maps = LIGHTS.map((light) => makeShadowMap(gl, light.size));
    this.parts = [];
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
  }

  load(model) {
    const { gl } = this;
    const upload = (target, data) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(target, buffer);
      gl.bufferData(target, data, gl.STATIC_DRAW);
      return buffer;
    };
    for (const part of this.parts) [part.frames, part.indices, part.colours].forEach((b) => gl.deleteBuffer(b));
    this.parts = model.shapes.map((shape) => ({
      shape,
      frames: upload(gl.ARRAY_BUFFER, shape.frames),
      indices: upload(gl.ELEMENT_ARRAY_BUFFER, shape.indices),
      indexType: shape.indices instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT,
      colours: shape.colours && upload(gl.ARRAY_BUFFER, shape.colours),
    }));
  }

  drawParts({ a, b }) {
    const { gl } = this;
    for (const part of this.parts) {
      const { shape } = part;
      [a, b].forEach((frame, which) => {
        const first = 3 * which, start = frame * shape.count * VERTEX_BYTES;
        gl.bindBuffer(gl.ARRAY_BUFFER, part.frames);
        gl.vertexAttribPointer(first, 3, gl.SHORT, true, VERTEX_BYTES, start);
        gl.vertexAttribPointer(first + 1, 3, gl.BYTE, true, VERTEX_BYTES, start + 8);
        gl.enableVertexAttribArray(first);
        gl.enableVertexAttribArray(first + 1);
        if (part.colours) {
          gl.bindBuffer(gl.ARRAY_BUFFER, part.colours);
          const colourStart = shape.coloursMove ? 4 * frame * shape.count : 0;
          gl.vertexAttribPointer(first + 2, 3, gl.UNSIGNED_BYTE, true, 4, colourStart);
          gl.enableVertexAttribArray(first + 2);
        } else {
          gl.disableVertexAttribArray(first + 2);
          gl.vertexAttrib3f(first + 2, ...shape.colour);
        }
      });
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.indices);
      gl.drawElements(gl.TRIANGLES, shape.indices.length, part.indexType, 0);
    }
  }

  castShadows(moment, centre, reach) {
    const { gl } = this;
    gl.useProgram(this.shadow.program);
    gl.uniform1f(this.shadow.uniforms.blend, moment.blend);
    return LIGHTS.map((light, k) => {
      const matrix = multiply(parallel(reach), viewMatrix(axesOf(light.back), centre));
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.maps[k].frame);
      gl.viewport(0, 0, light.size, light.size);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix4fv(this.shadow.uniforms.view, false, matrix);
      this.drawParts(moment);
      return matrix;
    });
  }

  useLit({ program, uniforms }, look, lightViews, reach) {
    const { gl } = this;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.view, false, look.matrix);
    gl.uniform1f(uniforms.reach, reach);
    LIGHTS.forEach((light, k) => {
      gl.activeTexture(gl.TEXTURE0 + k);
      gl.bindTexture(gl.TEXTURE_2D, this.maps[k].texture);
      gl.uniform1i(uniforms[`${light.name}_map`], k);
      gl.uniformMatrix4fv(uniforms[`${light.name}_view`], false, lightViews[k]);
    });
  }

  // moment: the frames a and b and how far it is from a to b; look: of the camera.
  draw(model, moment, look, centre, follow) {
    const { gl } = this;
    const reach = 1.15 * Math.hypot(...model.extent) || 1;
    const lightViews = this.castShadows(moment, centre, reach);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.useLit(this.body, look, lightViews, reach);
    gl.uniform1f(this.body.uniforms.blend, moment.blend);
    gl.uniform3fv(this.body.uniforms.eye, look.eye);
    this.drawParts(moment);
    if (look.eye[1] <= model.ground) return; // seen from below, the floor would hide everything
    this.useLit(this.ground, look, lightViews, reach);
    const { uniforms } = this.ground;
    const middle = mixed([0, 0, 0], centre, follow);
    gl.uniform4f(uniforms.disc, middle[0], model.ground, middle[2], 2.4 * Math.hypot(model.whole[0], model.whole[2]) + reach);
    gl.uniform1f(uniforms.grid_step, gridStep(model));
    gl.uniform1f(uniforms.grid_strength, model.travels ? 1 : 0);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}

// Lines on the floor a round number of metres apart, about two to a body.
function gridStep(model) {
  const metres = Math.max(...model.extent) / model.metre;
  return 10 ** Math.round(Math.log10(metres)) * model.metre;
}

// ---------------------------------------------------------------- viewer

// Shows a model in a canvas, plays it and lets it be turned. Calls onTime with each new time, and
// onLost when there is nothing to be seen any more, onBack when there is again.
class ModelViewer {
  constructor(canvas, { calm, onTime, onLost, onBack }) {
    Object.assign(this, { canvas, calm, onTime, onLost, onBack });
    this.camera = new OrbitCamera();
    this.model = null;
    this.playing = false;
    this.time = 0;
    this.pointers = new Map();
    this.inView = true;
    this.sharpness = Math.min(2, window.devicePixelRatio || 1);
    this.slowFrames = 0;
    this.gl = canvas.getContext('webgl2', { alpha: true, antialias: true, powerPreference: 'low-power' });
    if (!this.gl) throw new Error('no WebGL 2');
    this.renderer = new StageRenderer(this.gl);
    this.listen();
  }

  listen() {
    const { canvas } = this;
    const on = (name, handler) => canvas.addEventListener(name, (event) => handler.call(this, event));
    on('pointerdown', this.pressed);
    on('pointermove', this.moved);
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) on(name, this.released);
    // A press would take the focus, and the arrow keys with it.
    on('mousedown', (event) => event.preventDefault());
    on('contextmenu', (event) => event.preventDefault());
    on('dblclick', this.resetView);
    on('keydown', this.key);
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    on('webglcontextlost', (event) => {
      event.preventDefault();
      this.renderer = null;
      this.onLost();
    });
    on('webglcontextrestored', () => {
      this.renderer = new StageRenderer(this.gl);
      if (this.model) this.renderer.load(this.model);
      this.onBack();
      this.wake();
    });
    new ResizeObserver(() => this.wake()).observe(canvas);
    new IntersectionObserver(([entry]) => {
      this.inView = entry.isIntersecting;
      this.wake();
    }).observe(canvas);
    document.addEventListener('visibilitychange', () => this.wake());
  }

  // The last moment that can be shown. A cycle goes on from its last frame to its first.
  get length() {
    if (!this.model) return 0;
    return this.model.step * (this.model.frames - (this.model.cycle ? 0 : 1));
  }

  get following() {
    return this.camera.wish.follow > 0;
  }

  show(model) {
    this.model = model;
    this.time = 0;
    this.centre = null;
    this.camera.wish.follow = 0;
    this.camera.reset();
    this.camera.glide(0, true);
    if (this.renderer) this.renderer.load(model);
    this.wake();
  }

  clear() {
    this.model = null;
    this.playing = false;
  }

  play(on) {
    this.playing = on && this.length > 0;
    if (this.playing && !this.model.cycle && this.time >= this.length) this.time = 0;
    this.wake();
  }

  seek(time) {
    this.time = Math.min(this.length, Math.max(0, time));
    this.wake();
  }

  follow(on) {
    this.camera.wish.follow = on ? 1 : 0;
    this.wake();
  }

  resetView() {
    this.camera.reset();
    this.wake();
  }

  // Draws at the next frame of the screen, and goes on only as long as something moves and is seen.
  wake() {
    if (this.waiting || !this.model || !this.inView || document.hidden) return;
    this.waiting = requestAnimationFrame((now) => {
      this.waiting = 0;
      if (!this.model || !this.renderer) return;
      const seconds = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
      this.last = now;
      const moves = this.advance(seconds);
      this.draw(seconds);
      if (moves) this.wake();
      else this.last = 0;
    });
  }

  advance(seconds) {
    const glides = this.camera.glide(seconds, this.calm);
    if (this.playing) {
      this.time += seconds;
      const end = this.length + (this.model.cycle ? 0 : HOLD_SECONDS);
      if (this.time > end) {
        this.time = this.model.cycle ? this.time % this.length : 0;
        this.centre = null;
      }
      this.onTime(Math.min(this.time, this.length));
      this.keepPace(seconds);
    }
    return glides || this.playing;
  }

  // Fewer pixels are drawn where the machine cannot keep up with all of them.
  keepPace(seconds) {
    this.slowFrames = seconds > 0.035 ? this.slowFrames + 1 : 0;
    if (this.slowFrames < 12) return;
    this.slowFrames = 0;
    this.sharpness = Math.max(0.6, this.sharpness * 0.8);
  }

  moment() {
    const { frames, step } = this.model;
    const place = step > 0 ? Math.min(this.time, this.length) / step : 0;
    const a = Math.floor(place) % frames;
    const b = this.model.cycle ? (a + 1) % frames : Math.min(a + 1, frames - 1);
    return { a, b, blend: place - Math.floor(place) };
  }

  draw(seconds) {
    const { canvas, model } = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * this.sharpness));
    const height = Math.max(1, Math.round(canvas.clientHeight * this.sharpness));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const moment = this.moment();
    const centre = mixed(model.boxes[moment.a].centre, model.boxes[moment.b].centre, moment.blend);
    // The camera follows as a calm hand would, and not each beat of the body.
    this.centre = this.centre ? mixed(this.centre, centre, this.playing ? 1 - Math.exp(-9 * seconds) : 1) : centre;
    const look = this.camera.look(model, this.centre, width / height);
    this.renderer.draw(model, moment, look, centre, this.camera.now.follow);
  }

  pressed(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const pans = event.button === 2 || event.shiftKey;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, pans });
  }

  released(event) {
    this.pointers.delete(event.pointerId);
  }

  moved(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY, pans: before.pans };
    const size = this.canvas.clientHeight || 1;
    const [dx, dy] = [(now.x - before.x) / size, (now.y - before.y) / size];
    const pan = 2 * Math.tan(FIELD_OF_VIEW / 2);
    if (this.pointers.size >= 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const span = (point) => Math.max(10, Math.hypot(point.x - other.x, point.y - other.y));
      this.camera.zoomBy(span(before) / span(now));
      this.camera.pan((dx / 2) * pan, (-dy / 2) * pan);
    } else if (before.pans) {
      this.camera.pan(dx * pan, -dy * pan);
    } else {
      this.camera.turn(-3.6 * dx, 3.6 * dy);
    }
    this.pointers.set(event.pointerId, now);
    this.wake();
  }

  wheel(event) {
    const pixels = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    // At the end of its way the wheel goes on to scroll the page.
    if (this.camera.zoomBy(Math.exp(0.0015 * pixels))) event.preventDefault();
    this.wake();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => this.camera.turn(-0.2, 0),
      ArrowRight: () => this.camera.turn(0.2, 0),
      ArrowUp: () => this.camera.turn(0, 0.15),
      ArrowDown: () => this.camera.turn(0, -0.15),
      '+': () => this.camera.zoomBy(0.85),
      '=': () => this.camera.zoomBy(0.85),
      '-': () => this.camera.zoomBy(1 / 0.85),
      0: () => this.camera.reset(),
      Home: () => this.camera.reset(),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
    event.stopPropagation();
    this.wake();
  }
}
