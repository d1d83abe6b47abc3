// Reads the packed frames of a preset's moving model.
//
// A model is kept in the units of its packing: the box of the whole motion is centred at the origin
// and its largest half extent is 1.

const POSITION_UNIT = 32767;
const VERTEX_BYTES = 12; // position 3 x int16, 2 unused; normal 3 x int8, 1 unused
const CREASE_COSINE = Math.cos((50 * Math.PI) / 180);

async function inflate(base64) {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

function isCount(value, most) {
  return Number.isInteger(value) && value > 0 && value <= most;
}

// Everything is checked here, so that what is drawn later needs no more checks. Throws if it is broken.
function unpackModel(buffer) {
  const headerBytes = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headerBytes)));
  const { frames, seconds, box } = header;
  if (!isCount(frames, 10000) || !(seconds >= 0)) throw new Error('frames');
  if (!box.flat().every(Number.isFinite)) throw new Error('box');
  let place = 0;
  const take = (Type, count) => {
    const array = new Type(buffer, place, count);
    place = (place + array.byteLength + 3) & ~3;
    return array;
  };
  take(Uint8Array, 4 + headerBytes);
  const pieces = header.pieces.map((piece) => {
    const { vertices, triangles } = piece;
    if (!isCount(vertices, 1 << 24) || !isCount(triangles, 1 << 25)) throw new Error('piece');
    const indices = take(piece.index_bytes === 2 ? Uint16Array : Uint32Array, 3 * triangles);
    if (indices.some((index) => index >= vertices)) throw new Error('index');
    const positions = take(Int16Array, frames * vertices * 3);
    // Differences to the frame before, which wrap around just as an Int16Array does.
    for (let k = 3 * vertices; k < positions.length; ++k) positions[k] += positions[k - 3 * vertices];
    const colourFrames = piece.colour_frames || 0;
    if (colourFrames > 1 && colourFrames !== frames) throw new Error('colours');
    const colours = colourFrames > 0 ? take(Uint8Array, colourFrames * vertices * 3) : null;
    const colour = Array.isArray(piece.colour) ? piece.colour : [200, 195, 190];
    return { vertices, triangles, indices, positions, colours, colourFrames, colour };
  });
  if (pieces.length === 0) throw new Error('empty');
  return { frames, seconds, box, pieces };
}

function faceNormals(indices, positions) {
  const normals = new Float32Array(indices.length);
  for (let k = 0; k < indices.length; k += 3) {
    const a = 3 * indices[k], b = 3 * indices[k + 1], c = 3 * indices[k + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    normals[k] = uy * vz - uz * vy;
    normals[k + 1] = uz * vx - ux * vz;
    normals[k + 2] = ux * vy - uy * vx;
  }
  return normals;
}

// A vertex on a sharp edge becomes one vertex for each smooth side of it, so that boxes keep their
// edges and round things stay round. Which vertex each one came from is in `source`.
function splitCreases(piece) {
  const { indices, vertices } = piece;
  const normals = faceNormals(indices, piece.positions);
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
    for (let axis = 0; axis < 3; ++axis) normals[k + axis] /= length;
  }
  const starts = new Uint32Array(vertices + 1);
  for (const index of indices) ++starts[index + 1];
  for (let v = 0; v < vertices; ++v) starts[v + 1] += starts[v];
  const corners = new Uint32Array(indices.length);
  const filled = starts.slice();
  indices.forEach((index, corner) => { corners[filled[index]++] = corner; });

  const source = Array.from({ length: vertices }, (_, v) => v);
  const split = Uint32Array.from(indices);
  for (let v = 0; v < vertices; ++v) {
    let open = Array.from(corners.subarray(starts[v], starts[v + 1]));
    for (let side = 0; open.length > 0; ++side) {
      const group = [open.pop()];
      for (let k = 0; k < group.length; ++k) {
        const near = (corner) => areSmooth(normals, group[k], corner);
        group.push(...open.filter(near));
        open = open.filter((corner) => !near(corner));
      }
      if (side === 0) continue; // the first side keeps the vertex
      for (const corner of group) split[corner] = source.length;
      source.push(v);
    }
  }
  return { indices: source.length <= 65536 ? Uint16Array.from(split) : split, source };
}

function areSmooth(normals, cornerA, cornerB) {
  const a = cornerA - (cornerA % 3), b = cornerB - (cornerB % 3);
  const cosine = normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
  // A triangle without an area has no normal, and goes with whatever is beside it.
  return cosine > CREASE_COSINE || cosine === 0 && !(normals[a] || normals[a + 1] || normals[a + 2]);
}

function writeFrame(piece, shape, frame, target) {
  const { indices, source } = shape;
  const count = source.length;
  const from = piece.positions.subarray(3 * frame * piece.vertices, 3 * (frame + 1) * piece.vertices);
  const shorts = new Int16Array(target, frame * count * VERTEX_BYTES, count * VERTEX_BYTES / 2);
  const bytes = new Int8Array(target, frame * count * VERTEX_BYTES, count * VERTEX_BYTES);
  const positions = new Float32Array(3 * count), normals = new Float32Array(3 * count);
  for (let v = 0; v < count; ++v) {
    for (let axis = 0; axis < 3; ++axis) {
      positions[3 * v + axis] = shorts[6 * v + axis] = from[3 * source[v] + axis];
    }
  }
  const faces = faceNormals(indices, positions); // their lengths are areas, which weighs them well
  for (let k = 0; k < indices.length; ++k) {
    const face = k - (k % 3);
    for (let axis = 0; axis < 3; ++axis) normals[3 * indices[k] + axis] += faces[face + axis];
  }
  for (let v = 0; v < count; ++v) {
    const scale = 127 / (Math.hypot(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]) || 1);
    for (let axis = 0; axis < 3; ++axis) bytes[VERTEX_BYTES * v + 8 + axis] = normals[3 * v + axis] * scale;
  }
}

function spreadColours(piece, shape) {
  if (!piece.colours) return null;
  const count = shape.source.length;
  const spread = new Uint8Array(4 * count * piece.colourFrames);
  for (let frame = 0; frame < piece.colourFrames; ++frame) {
    for (let v = 0; v < count; ++v) {
      const from = 3 * (frame * piece.vertices + shape.source[v]);
      spread.set(piece.colours.subarray(from, from + 3), 4 * (frame * count + v));
    }
  }
  return spread;
}

// The box of each frame: {centre, half}, over all pieces.
function frameBoxes(model) {
  return Array.from({ length: model.frames }, (_, frame) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const { positions, vertices } of model.pieces) {
      for (let k = 3 * frame * vertices; k < 3 * (frame + 1) * vertices; ++k) {
        const axis = k % 3;
        if (positions[k] < low[axis]) low[axis] = positions[k];
        if (positions[k] > high[axis]) high[axis] = positions[k];
      }
    }
    return {
      centre: low.map((l, axis) => (l + high[axis]) / 2 / POSITION_UNIT),
      half: low.map((l, axis) => (high[axis] - l) / 2 / POSITION_UNIT),
    };
  });
}

// Whether the last frame leads into the first as smoothly as frames lead into each other.
function isCycle(model) {
  if (model.frames < 4) return false;
  const apart = (a, b) => {
    let sum = 0, count = 0;
    for (const { positions, vertices } of model.pieces) {
      for (let k = 0; k < 3 * vertices; ++k, ++count) {
        sum += (positions[3 * a * vertices + k] - positions[3 * b * vertices + k]) ** 2;
      }
    }
    return Math.sqrt(sum / count);
  };
  let largest = 0;
  for (let frame = 1; frame < model.frames; ++frame) largest = Math.max(largest, apart(frame, frame - 1));
  return apart(model.frames - 1, 0) <= 1.5 * largest;
}

// From the text in the page to what the viewer shows. Lets the page breathe in between.
async function readModel(base64) {
  const model = unpackModel(await inflate(base64));
  const boxes = frameBoxes(model);
  const extent = [0, 1, 2].map((axis) => Math.max(...boxes.map((box) => box.half[axis])));
  const whole = [0, 1, 2].map((axis) => Math.max(
    ...boxes.map((box) => Math.max(box.half[axis] + box.centre[axis], box.half[axis] - box.centre[axis]))));
  const shapes = [];
  let since = performance.now();
  for (const piece of model.pieces) {
    const shape = splitCreases(piece);
    const buffer = new ArrayBuffer(model.frames * shape.source.length * VERTEX_BYTES);
    for (let frame = 0; frame < model.frames; ++frame) {
      writeFrame(piece, shape, frame, buffer);
      if (performance.now() - since < 10) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
    shapes.push({
      count: shape.source.length, indices: shape.indices, frames: buffer, colours: spreadColours(piece, shape),
      coloursMove: piece.colourFrames > 1, colour: piece.colour.map((level) => level / 255),
    });
  }
  const [low, high] = model.box;
  const metre = 2 / (Math.max(...high.map((h, axis) => h - low[axis])) || 1); // a metre in our units
  return {
    shapes, boxes, extent, whole, metre, frames: model.frames, step: model.seconds / model.frames,
    cycle: isCycle(model), ground: groundHeight(low, high, metre),
    travels: Math.hypot(...whole) > 1.3 * Math.hypot(...extent), // more than the body itself fills
  };
}

// The floor of the world, unless the motion goes below it or hovers far above.
function groundHeight(low, high, metre) {
  const middle = (low[1] + high[1]) / 2;
  const height = high[1] - low[1];
  const floor = low[1] >= 0 && low[1] < 0.35 * height ? 0 : low[1] - (low[1] > 0 ? 0.15 * height : 0);
  return (floor - middle) * metre;
}
