import { writeFileSync } from 'node:fs';

// Node reads the files below as CommonJS, although the package is a module.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
