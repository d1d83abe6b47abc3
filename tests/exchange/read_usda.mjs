// Reads a .usda with TinyUSDZ, which is made for browsers, and prints as JSON what it has understood:
// the frames, and the points of all meshes at those that are asked for.
//
//   node read_usda.mjs FOLDER FILE FRAME...
//
// FOLDER: where node_modules is.
import fs from 'node:fs';
import path from 'node:path';

const [folder, file, ...frames] = process.argv.slice(2);
const library = path.resolve(folder, 'node_modules/tinyusdz');
globalThis.window = globalThis;
globalThis.document = { currentScript: { src: '' }, baseURI: 'file:///' };
globalThis.location = { href: 'file:///' };
process.type = 'renderer';
const { default: init } = await import(path.join(library, 'tinyusdz.js'));
const module = await init({ wasmBinary: fs.readFileSync(path.join(library, 'tinyusdz.wasm')) });
const bytes = new Uint8Array(fs.readFileSync(file));

const scene = new module.TinyUSDZLoaderNative();
if (!scene.loadFromBinary(bytes, 'scene.usda')) throw new Error(scene.error());
const layer = new module.TinyUSDZLoaderNative();
if (!layer.loadAsLayerFromBinary(bytes, 'scene.usda')) throw new Error(layer.error());
const text = layer.layerToString();

const numbers = (line) =>
  [...line.matchAll(/\(([^()]*)\)/g)].map((m) => m[1].split(',').map(Number));
const result = { meshes: scene.numMeshes(), keys: 0, frames: {} };
for (const f of frames) result.frames[f] = [];
// Points that never change have no times.
let samples = null;
for (const line of text.split('\n')) {
  const still = line.match(/^\s*point3f\[\] points = \[/);
  if (still) for (const f of frames) result.frames[f].push(...numbers(line));
  if (/^\s*point3f\[\] points\.timeSamples = \{/.test(line)) samples = 0;
  const sample = samples !== null && line.match(/^\s*(-?[0-9.]+): \[/);
  if (sample) {
    ++samples;
    const f = String(Number(sample[1]));
    if (f in result.frames) result.frames[f].push(...numbers(line.slice(sample[0].length - 1)));
  }
  if (samples !== null && /^\s*\}/.test(line)) {
    result.keys = Math.max(result.keys, samples);
    samples = null;
  }
}
console.log('POSITIONS ' + JSON.stringify(result));
