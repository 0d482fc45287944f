import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildOpenapi } from '../../../functions/platform/apiDocs/contract/openapi.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { readApi } from '../api.ts';
import { emitClient } from './emitClient.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Writes the emitted sources of the TypeScript client into a folder, formatted as the rest of the project. */
export const writeClient = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  const sources = emitClient(readApi(buildOpenapi(routes, 'https://api.example.com')));
  for (const [name, text] of Object.entries(sources)) {
    const formatted = execFileSync(
      join(root, 'node_modules/.bin/biome'),
      ['check', '--write', '--stdin-file-path', join(root, 'sdk/typescript/src', name)],
      { cwd: root, input: text, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] },
    );
    writeFileSync(join(folder, name), formatted);
  }
};
