import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../schemas/durations.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { exportFocus, readViews, type View } from '../support/views.ts';
import { archiveDay, expireLedger, forgetEndpoints, ledgerRows, ROWS_EXPIRE_MS } from './archiving.ts';
import { DAY_START, faultyTraffic, ROUNDS } from './faultyTraffic.ts';

const day = (offset: number): string => new Date(DAY_START + offset * DAY_MS).toISOString().slice(0, 10);
const ARCHIVED = ['acme', 'globex'] as const;
const SAMPLE = 8;

const dataDir = temporaryDirectory();
let instance: Instance;
/** Calls with faults are of acme. Few calls, each of which is compared, are of globex. */
let traffic: Awaited<ReturnType<typeof faultyTraffic>>;
const keyOf = (tenant: (typeof ARCHIVED)[number]): string =>
  demoTenants(instance.credentials)[tenant].api_keys.admin;

// About 40 s: it starts an instance, returns messages of killed functions, and starts it again 57 days later.
beforeAll(async () => {
  instance = await startInstance({ dataDir, environment: UNLIMITED });
  const events = Array.from({ length: SAMPLE }, (_, index) =>
    someEvent({
      ingestion_timestamp: new Date(DAY_START + DAY_MS / 2).toISOString(),
      attributed_identity: `team-${index % 3}`,
      attributed_service: index % 2 === 0 ? 'ranking' : 'search',
      input_tokens: 1_000 + index,
    }),
  );
  const body = { events };
  const { status, text } = await call(instance.baseUrl, '/api/v1/invocations/batch', {
    key: keyOf('globex'),
    body,
  });
  expect(status, text).toBe(202);
  traffic = await faultyTraffic(instance, keyOf('acme'));
  await instance.runtime.idle({ delayed: true });
});
afterAll(async () => {
  await instance?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The one sum that all views of the calls of acme agree on. */
const expectEqualViews = async (): Promise<View | undefined> => {
  const period = { from: day(0), to: day(2) };
  const views = await readViews({ baseUrl: instance.baseUrl, key: keyOf('acme'), ...period });
  const [first] = Object.values(views);
  expect(first?.records).toBe(traffic.events.length);
  expect(views).toEqual(Object.fromEntries(Object.keys(views).map((name) => [name, first])));
  return first;
};

const QUERIES = [
  'limit=200',
  'limit=3&sort=-occurred_at',
  'limit=3&sort=cost_usd',
  'limit=200&sort=-confidence',
  'limit=200&sort=-cost_usd&owner=team-1',
  'limit=200&service[ne]=ranking',
  `limit=200&occurred_at[gte]=${day(0)}T00:00:00Z&occurred_at[lt]=${day(1)}T00:00:00Z`,
];

/** What the API answers about the calls of globex. */
const answersOfDay = async () => {
  const key = keyOf('globex');
  const lists = await Promise.all(QUERIES.map((query) => listAllRecords(instance.baseUrl, key, query)));
  const details = await Promise.all(
    (lists[0] ?? []).map(async ({ id }) => {
      const { status, body } = await call(instance.baseUrl, `/v1/attribution/${String(id)}`, { key });
      return { status, body };
    }),
  );
  return { lists: Object.fromEntries(QUERIES.map((query, index) => [query, lists[index]])), details };
};
const exportedRows = async () => {
  const period = { from: day(0), to: day(1) };
  const { rows } = await exportFocus({ baseUrl: instance.baseUrl, key: keyOf('globex'), ...period });
  return rows.map((row) => JSON.stringify(row)).toSorted();
};

it('records, index, rollups and exports agree after kills, throttling and corrections at once', async () => {
  const { events, corrected, kills } = traffic;

  // Guards the test: without kills it checks nothing.
  expect(kills).toBeGreaterThanOrEqual(ROUNDS);
  await expectEqualViews();
  const records = await listAllRecords(instance.baseUrl, keyOf('acme'));
  expect(records.map(({ event_id }) => event_id).sort()).toEqual(
    events.map(({ event_id }) => event_id).sort(),
  );
  const owners = new Map(records.map(({ id, owner }) => [String(id), String(owner)]));
  expect([...corrected].filter(([id, owner]) => owners.get(id) !== owner)).toEqual([]);
});

describe('a day that left the ledger table', () => {
  let before: {
    readonly view: View | undefined;
    readonly answers: Awaited<ReturnType<typeof answersOfDay>>;
    readonly rows: string[];
  };
  beforeAll(async () => {
    before = { view: await expectEqualViews(), answers: await answersOfDay(), rows: await exportedRows() };
    for (const tenant of ARCHIVED) await archiveDay(instance, tenant, day(0));
    await instance.stop();
    forgetEndpoints();
    const environment = { ...UNLIMITED, CLOCK_OFFSET_SECONDS: String(ROWS_EXPIRE_MS / 1_000) };
    instance = await startInstance({ dataDir, environment });
    for (const tenant of ARCHIVED) await expireLedger(instance, tenant);
    expect(await ledgerRows(instance)).toBe(0);
  });

  it('has the same sums in records, index, rollups and exports', async () => {
    expect(await expectEqualViews()).toEqual(before.view);
  });

  it('is listed, exported and corrected as before', async () => {
    expect(before.answers.details).toHaveLength(SAMPLE);
    expect(await answersOfDay()).toEqual(before.answers);
    expect(await exportedRows()).toEqual(before.rows);

    const id = String(before.answers.details[0]?.body['id']);
    const body = { owner: 'team-corrected', reason: 'The gateway ran under the key of another team' };
    const path = `/v1/attribution/${id}/overrides`;
    const corrected = await call(instance.baseUrl, path, { key: keyOf('globex'), body });
    expect(corrected.status, corrected.text).toBe(201);
    await instance.runtime.idle({ delayed: true });
    const isCorrected = (record: Record<string, unknown>) => record['id'] === id;
    // A correction appears in sorted lists after five seconds.
    const afterCorrection = await vi.waitFor(
      async () => {
        const answers = await answersOfDay();
        const shown = Object.values(answers.lists).flatMap((list) => list?.filter(isCorrected) ?? []);
        expect(shown.map(({ version }) => version)).not.toContain(1);
        return answers;
      },
      { timeout: 180_000, interval: 500 },
    );
    expect(afterCorrection.details.map(({ body: detail }) => detail).find(isCorrected)).toMatchObject({
      owner: 'team-corrected',
      version: 2,
    });
    expect(afterCorrection.lists['limit=200']).toHaveLength(SAMPLE);
    await archiveDay(instance, 'globex', day(0));
    expect(await answersOfDay()).toEqual(afterCorrection);
  });
});
