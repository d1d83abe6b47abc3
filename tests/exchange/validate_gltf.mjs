// Validates glTF files with Khronos' validator, and prints for each how many errors, warnings, infos
// and hints it has.
//
//   node validate_gltf.mjs FOLDER FILE...
//
// FOLDER: where node_modules is.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(path.resolve(folder, 'here.js'))('gltf-validator');
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log('VALID ' + JSON.stringify({
    errors: numErrors, warnings: numWarnings, infos: numInfos, hints: numHints,
    first: messages.length > 0 ? messages[0].message : '',
  }));
}
