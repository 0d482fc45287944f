import { rmSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ExportJobWithFiles } from '../../schemas/chargeback/exports.ts';
import { DAY_MS } from '../../schemas/durations.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { archiveDay, expireLedger, forgetEndpoints, ledgerRows, ROWS_EXPIRE_MS } from './archiving.ts';

const CALLED_AT = Date.now() - DAY_MS;
const day = (offset: number): string => new Date(CALLED_AT + offset * DAY_MS).toISOString().slice(0, 10);

const QUERIES = [
  'limit=200',
  'limit=3&sort=-occurred_at',
  'limit=3&sort=cost_usd',
  'limit=200&sort=-confidence',
  'limit=200&sort=-cost_usd&owner=team-1',
  'limit=200&service[ne]=ranking',
  `limit=200&occurred_at[gte]=${day(0)}T00:00:00Z&occurred_at[lt]=${day(1)}T00:00:00Z`,
];

const keysOf = ({ credentials }: Instance) => demoTenants(credentials).acme.api_keys;

const exportedRows = async (instance: Instance): Promise<string[]> => {
  const key = keysOf(instance).admin;
  const body = { format: 'focus', period: { from: day(0), to: day(1) }, granularity: 'hour' };
  const { headers } = await call(instance.baseUrl, '/v1/exports/focus', { key, body });
  const job = await vi.waitFor(
    async () => {
      const answer = await call(instance.baseUrl, headers.get('location') ?? '', { key });
      const current = ExportJobWithFiles.parse(answer.body);
      expect(['queued', 'running']).not.toContain(current.status);
      return current;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(job.status).toBe('succeeded');
  const files = await Promise.all(
    (job.result_urls ?? []).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
  );
  return files.flatMap((file) => gunzipSync(file).toString('utf8').trim().split('\n').slice(1)).toSorted();
};

/** What the API answers about the calls of the day. */
const answersOf = async (instance: Instance) => {
  const { admin } = keysOf(instance);
  const lists = await Promise.all(QUERIES.map((query) => listAllRecords(instance.baseUrl, admin, query)));
  const details = await Promise.all(
    (lists[0] ?? []).map(async ({ id }) => {
      const { status, body } = await call(instance.baseUrl, `/v1/attribution/${String(id)}`, { key: admin });
      return { status, body };
    }),
  );
  return { lists: Object.fromEntries(QUERIES.map((query, index) => [query, lists[index]])), details };
};

// About 20 s on a free machine: it starts an instance, and starts it again 57 days later.
it('a day that left the ledger table is listed, exported and corrected as before', async () => {
  const dataDir = temporaryDirectory();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await startInstance({ dataDir, environment: UNLIMITED });
  for (let index = 0; index < 8; index += 1) {
    const body = someEvent({
      ingestion_timestamp: new Date(CALLED_AT).toISOString(),
      attributed_identity: `team-${index % 3}`,
      attributed_service: index % 2 === 0 ? 'ranking' : 'search',
      input_tokens: 1_000 + index,
    });
    const answer = await call(first.baseUrl, '/api/v1/invocations', { key: keysOf(first).admin, body });
    expect(answer.status, answer.text).toBe(202);
  }
  await first.runtime.idle({ delayed: true });
  const before = await answersOf(first);
  const exportedBefore = await exportedRows(first);
  expect(before.details).toHaveLength(8);
  expect(await ledgerRows(first)).toBe(8);
  await archiveDay(first, day(0));
  await first.stop();
  forgetEndpoints();

  const environment = { ...UNLIMITED, CLOCK_OFFSET_SECONDS: String(ROWS_EXPIRE_MS / 1_000) };
  const later = await startInstance({ dataDir, environment });
  onTestFinished(later.stop);
  await expireLedger(later);
  expect(await ledgerRows(later)).toBe(0);
  expect(await answersOf(later)).toEqual(before);
  expect(await exportedRows(later)).toEqual(exportedBefore);

  const id = String(before.details[0]?.body['id']);
  const { admin } = keysOf(later);
  const body = { owner: 'team-corrected', reason: 'The gateway ran under the key of another team' };
  const corrected = await call(later.baseUrl, `/v1/attribution/${id}/overrides`, { key: admin, body });
  expect(corrected.status, corrected.text).toBe(201);
  await later.runtime.idle({ delayed: true });
  const isCorrected = (record: Record<string, unknown>) => record['id'] === id;
  // A correction appears in sorted lists after five seconds.
  const afterCorrection = await vi.waitFor(
    async () => {
      const answers = await answersOf(later);
      const shown = Object.values(answers.lists).flatMap((list) => list?.filter(isCorrected) ?? []);
      expect(shown.map(({ version }) => version)).not.toContain(1);
      return answers;
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(afterCorrection.details.map(({ body: detail }) => detail).find(isCorrected)).toMatchObject({
    owner: 'team-corrected',
    version: 2,
  });
  expect(afterCorrection.lists['limit=200']).toHaveLength(8);
  await archiveDay(later, day(0));
  expect(await answersOf(later)).toEqual(afterCorrection);
});
