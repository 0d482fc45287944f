import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { buildOpenapi } from '../../../../functions/platform/apiDocs/contract/openapi.ts';
import { contractChanges } from '../../../../functions/platform/apiDocs/reference/changes/compareDocuments.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { breakingChanges } from './majorChanges.ts';

const Document = z.record(z.string(), z.unknown());

/** The last released document of this major version: `node test/platform/apiDocs/contract/releaseDocument.ts` at a release. */
const released = Document.parse(
  JSON.parse(
    gunzipSync(
      readFileSync(
        new URL(
          '../../../../functions/platform/apiDocs/reference/released/openapi-1.json.gz',
          import.meta.url,
        ),
      ),
    ).toString('utf8'),
  ),
);
const current = Document.parse(JSON.parse(JSON.stringify(buildOpenapi(routes, 'https://api.example.com'))));

it('the API document only grows compared with the last released one', () => {
  expect(breakingChanges(released, current)).toEqual([]);
});

it('writes the changes since the last release to dist/contract-changes.json', () => {
  const file = fileURLToPath(new URL('../../../../dist/contract-changes.json', import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(contractChanges(released, current), null, 2)}\n`);

  expect(z.array(z.object({ bump: z.string() })).parse(JSON.parse(readFileSync(file, 'utf8')))).toBeDefined();
});
