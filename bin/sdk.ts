import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOpenapi } from '../functions/platform/apiDocs/contract/openapi.ts';
import { routes } from '../schemas/routes/index.ts';
import { readApi } from '../tools/sdk/api.ts';
import { emitPython } from '../tools/sdk/python/operations.ts';
import { writeClient } from '../tools/sdk/typescript/writeClient.ts';

// Emits the generated parts of the client libraries. A test fails when they differ from the routes.
const python = emitPython(readApi(buildOpenapi(routes, 'https://api.example.com')));
const folder = new URL('../sdk/python/src/inference_attribution/', import.meta.url);
for (const [name, text] of Object.entries(python)) writeFileSync(new URL(`${name}.py`, folder), text);

writeClient(fileURLToPath(new URL('../sdk/typescript/src', import.meta.url)));
