import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildOpenapi } from '../../functions/contract/openapi.ts';
import { CATALOGUE_VERSION, errorCodes, problemTypes } from '../../schemas/problems.ts';
import { routes } from '../../schemas/routes/index.ts';

// Run at a release, after the tests have passed: replaces the released API document and error catalogue. Compressed,
// because the document has 340 kB and nobody reads or merges it by hand.
const fileOf = (name: string) => new URL(name, import.meta.url);

writeFileSync(
  fileOf('openapi-1.json.gz'),
  gzipSync(JSON.stringify(buildOpenapi(routes, 'https://api.example.com')), { level: 9 }),
);
const errors = errorCodes.map((error_code) => {
  const { status, retryable } = problemTypes[error_code];
  return { error_code, status, retryable };
});
writeFileSync(
  fileOf('errors-1.json'),
  `${JSON.stringify({ version: CATALOGUE_VERSION, errors }, null, 2)}\n`,
);
