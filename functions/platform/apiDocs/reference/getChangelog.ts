import { gunzipSync } from 'node:zlib';
import { routes } from '../../../../schemas/routes/index.ts';
import { type ContractChangelog, getChangelog } from '../../../../schemas/routes/platform/reference.ts';
import { operation } from '../../http/operation.ts';
import { settings } from '../../shared/settings.ts';
import { buildOpenapi } from '../contract/openapi.ts';
import { type Publication, publication, publish } from '../contract/publication.ts';
import { contractChanges } from './changes/compareDocuments.ts';
import releases from './released/changelog-1.json' with { type: 'json' };
import released from './released/openapi-1.json.gz';

const changelog = (): ContractChangelog => ({
  releases: releases as ContractChangelog['releases'],
  unreleased: contractChanges(
    JSON.parse(gunzipSync(released).toString('utf8')),
    JSON.parse(JSON.stringify(buildOpenapi(routes, settings.BASE_URL))),
  ),
});

let published: Publication | undefined;

/** The comparison takes 0.3 s of CPU time, so each process makes it once, on demand. */
export default operation(getChangelog, ({ header }) => {
  published ??= publication('application/json', JSON.stringify(changelog()));
  return publish(published, header);
});
