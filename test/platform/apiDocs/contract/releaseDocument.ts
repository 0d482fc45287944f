import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buildOpenapi } from '../../../../functions/platform/apiDocs/contract/openapi.ts';
import { contractChanges } from '../../../../functions/platform/apiDocs/reference/changes/compareDocuments.ts';
import { CATALOGUE_VERSION, errorCodes, problemTypes } from '../../../../schemas/problems.ts';
import { routes } from '../../../../schemas/routes/index.ts';

// Run at a release, after the tests have passed: replaces the released API document and error catalogue, and adds the
// changes since the last release to the changelog. The document is compressed, because nobody reads or merges it by hand.
const released = (name: string) =>
  new URL(`../../../../functions/platform/apiDocs/reference/released/${name}`, import.meta.url);

const document = JSON.parse(JSON.stringify(buildOpenapi(routes, 'https://api.example.com')));
const before = JSON.parse(gunzipSync(readFileSync(released('openapi-1.json.gz'))).toString('utf8'));
const entry = {
  version: document.info.version,
  date: new Date().toISOString().slice(0, 10),
  changes: contractChanges(before, document),
};
const changelog = [entry, ...JSON.parse(readFileSync(released('changelog-1.json'), 'utf8'))];
writeFileSync(released('changelog-1.json'), `${JSON.stringify(changelog, null, 2)}\n`);
writeFileSync(released('openapi-1.json.gz'), gzipSync(JSON.stringify(document), { level: 9 }));

const errors = errorCodes.map((error_code) => {
  const { status, retryable } = problemTypes[error_code];
  return { error_code, status, retryable };
});
writeFileSync(
  new URL('errors-1.json', import.meta.url),
  `${JSON.stringify({ version: CATALOGUE_VERSION, errors }, null, 2)}\n`,
);
