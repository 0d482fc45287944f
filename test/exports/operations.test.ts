import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { TestResponse } from '../http/harness.ts';
import { type ExportClient, exportClientOf, REQUEST, someLedger } from './exportClient.ts';
import { type ExportHarness, startExportHarness } from './harness.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let world: ExportHarness;
let tenant: Tenant;
let client: ExportClient;
beforeAll(async () => {
  world = await startExportHarness();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.live.stop();
});
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
  client = exportClientOf(world, tenant);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  world.setDown(false);
  vi.restoreAllMocks();
});

const create = (body: object, key?: string) =>
  world.call('create', { tenant, body: { ...REQUEST, ...body }, ...(key !== undefined && { key }) });
const errorOf = ({ status, body }: TestResponse) => [status, body['error_code']];
const pointersOf = ({ body }: TestResponse) =>
  Array.isArray(body['errors']) ? body['errors'].map(({ pointer }) => pointer) : [];
const idsOf = ({ body }: TestResponse) =>
  Array.isArray(body['data']) ? body['data'].map(({ job_id }) => job_id) : [];

describe('asking for an export', () => {
  it('is answered at once, with where to ask after it', async () => {
    const answer = await create({});

    const { job_id } = answer.body;
    expect(answer.status).toBe(202);
    expect(answer.headers['location']).toBe(`/api/v1/jobs/${String(job_id)}`);
    expect(answer.body).toEqual({
      job_id,
      status: 'queued',
      status_url: `https://api.example.com/api/v1/jobs/${String(job_id)}`,
      created_at: new Date(world.time.now).toISOString(),
    });
    expect(await client.get(String(job_id))).toMatchObject({
      status: 'queued',
      progress: { done: 0, total: 0 },
      result: null,
      created_by: 'key_1',
      request: { group_by: ['service', 'owner'], granularity: 'day', file_format: 'csv.gz' },
    });
  });

  it.each([
    [
      'a period that ends before it begins',
      { period: { from: '2026-11-01', to: '2026-10-01' } },
      ['/period/to'],
    ],
    ['a period that is no time', { period: { from: 'October', to: '2026-10-01' } }, ['/period/from']],
    ['a period to come', { period: { from: '2027-01-01', to: '2027-02-01' } }, ['/period/from']],
    ['a period before any ledger', { period: { from: '0001-01-01', to: '0001-02-01' } }, ['/period/from']],
    ['a field that rows have not', { group_by: ['owner', 'person'] }, ['/group_by/1']],
    [
      'columns that are not there',
      { columns: ['BilledCost', 'Cost', 'x_Person'] },
      ['/columns/1', '/columns/2'],
    ],
    ['a column of another version', { focus_version: '1.3', columns: ['InvoiceDetailId'] }, ['/columns/0']],
    ['an importer that is not known', { importer: 'excel' }, ['/importer']],
    ['an importer of a showback', { importer: 'vantage', cost_mode: 'showback' }, ['/cost_mode']],
    ['an importer of an older version', { importer: 'vantage', focus_version: '1.3' }, ['/focus_version']],
    ['another format', { format: 'csv' }, ['/format']],
    ['a member that is not known', { include_unattributed: true }, ['/include_unattributed']],
  ])('is refused for %s', async (_, body, pointers) => {
    const answer = await create(body);

    expect(errorOf(answer)).toEqual([422, 'VALIDATION_FAILED']);
    expect(pointersOf(answer)).toEqual(pointers);
  });

  it.each([
    ['fourteen months', { period: { from: '2025-09-30T23:59:59Z', to: '2026-11-01' } }],
    ['five fields', { group_by: ['owner', 'service', 'provider', 'region', 'served_model'] }],
  ])('is refused for %s', async (_, body) => {
    expect(errorOf(await create(body))).toEqual([422, 'EXPORT_TOO_LARGE']);
    expect(world.started.some(({ tenant_id }) => tenant_id === tenant.tenant_id)).toBe(false);
  });

  it('makes one export for one Idempotency-Key', async () => {
    const key = 'one-export';

    const [first, again] = [await create({}, key), await create({}, key)];
    const other = await create({ granularity: 'hour' }, key);

    expect(again.body).toEqual(first.body);
    expect(errorOf(other)).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
    expect(idsOf(await world.call('list', { tenant }))).toHaveLength(1);
  });

  it('makes one export where its start failed and it is asked for again', async () => {
    world.setDown(true);
    const failed = await create({}, 'once');
    world.setDown(false);
    world.time.now += 1;

    const answer = await create({}, 'once');

    expect(errorOf(failed)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.status).toBe(202);
    const ids = idsOf(await world.call('list', { tenant }));
    expect(ids).toEqual([answer.body['job_id']]);
    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toHaveLength(1);
  });
});

describe('an export that has ended', () => {
  it('gives addresses that work for a quarter of an hour, anew with each answer', async () => {
    await world.record(tenant, someLedger());
    const id = await client.post();
    await world.run(client.named(id));

    const before = await client.get(id);
    world.time.now += HOUR;
    const after = await client.get(id);

    expect(after.result_url).toMatch(/part-00001\.csv\.gz\?seconds=900$/);
    expect(after.result_urls).toHaveLength(2);
    expect(after.manifest_url).toMatch(/manifest\.json\?/);
    expect(after.metadata_url).toMatch(/focus-metadata\.json\?/);
    expect(Date.parse(after.expires_at ?? '') - Date.parse(before.expires_at ?? '')).toBe(HOUR);
    expect(Date.parse(after.expires_at ?? '') - world.time.now).toBe(15 * 60 * 1_000);
  });

  it('expires after thirty days, and has no addresses any more', async () => {
    const id = await client.post();
    await world.run(client.named(id));
    const { files_expire_at, finished_at } = await client.get(id);
    const before = world.time.now;

    world.time.now = Date.parse(finished_at ?? '') + 30 * DAY;
    const job = await client.get(id);
    world.time.now = before;

    expect(Date.parse(files_expire_at ?? '')).toBe(Date.parse(finished_at ?? '') + 30 * DAY);
    expect([job.status, job.result_url, job.manifest_url]).toEqual(['expired', undefined, undefined]);
    expect(job.result).not.toBeNull();
  });
});

describe('cancelling an export', () => {
  it('keeps a queued one from beginning, and tells nobody', async () => {
    const id = await client.post();

    const answer = await world.call('cancel', { tenant, id });
    await world.run(client.named(id));

    expect([answer.status, answer.body['status']]).toEqual([200, 'cancelled']);
    expect(await client.get(id)).toMatchObject({ status: 'cancelled', result: null });
    expect(world.filesOf(id).size).toBe(0);
    expect(await client.told()).toEqual([]);
    expect(await world.exports.unfinished()).not.toContainEqual(client.named(id));
  });

  it('comes to one end where it begins at the same moment', async () => {
    const id = await client.post();

    const [answer] = await Promise.all([world.call('cancel', { tenant, id }), world.run(client.named(id))]);

    const { status } = await client.get(id);
    expect(status).toBe(answer.status === 200 ? 'cancelled' : 'succeeded');
    expect(await client.told()).toEqual(status === 'cancelled' ? [] : [['export.completed', id]]);
  });

  it('is refused while it runs, and once it has ended', async () => {
    const id = await client.post();
    const refusals: unknown[] = [];

    await world.run(client.named(id), {
      around: async (state, call) => {
        if (state === 'Gather') refusals.push(errorOf(await world.call('cancel', { tenant, id })));
        return call();
      },
    });
    refusals.push(errorOf(await world.call('cancel', { tenant, id })));

    expect(new Set(refusals.map(String))).toEqual(new Set(['409,CONFLICT']));
    expect(refusals.length).toBeGreaterThan(1);
  });

  it('answers a repetition as the first call', async () => {
    const id = await client.post();

    const answers = [
      await world.call('cancel', { tenant, id, key: 'cancel' }),
      await world.call('cancel', { tenant, id, key: 'cancel' }),
    ];

    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });
});

describe('the list of exports', () => {
  it('has the newest first, page by page', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await client.post());

    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '2', ...(cursor !== undefined && { cursor }) };
      const answer = await world.call('list', { tenant, query });
      seen.push(...idsOf(answer));
      const page = Object(answer.body['page']);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);

    expect(seen).toEqual(ids.toReversed());
    expect(idsOf(await world.call('jobs', { tenant }))).toEqual(seen);
  });

  it('shows a credential of a lane the exports of that lane alone', async () => {
    const [all, own, other] = [await client.post(), await client.post({}, 'eu'), await client.post({}, 'us')];

    const seen = idsOf(await world.call('list', { tenant, residency: 'eu' }));
    const answers = await Promise.all(
      [all, own, other].map((id) => world.call('get', { tenant, id, residency: 'eu' })),
    );

    expect(seen).toEqual([own]);
    expect(answers.map(errorOf)).toEqual([
      [409, 'RESIDENCY_BLOCKED'],
      [200, undefined],
      [409, 'RESIDENCY_BLOCKED'],
    ]);
    expect(errorOf(await world.call('cancel', { tenant, id: other, residency: 'eu' }))).toEqual([
      409,
      'RESIDENCY_BLOCKED',
    ]);
  });

  it("holds nothing of another tenant's, whose ids are refused unseen", async () => {
    const id = await client.post();
    const stranger = world.newTenant();

    expect(idsOf(await world.call('list', { tenant: stranger }))).toEqual([]);
    expect(errorOf(await world.call('get', { tenant: stranger, id }))).toEqual([403, 'TENANT_MISMATCH']);
    expect(errorOf(await world.call('cancel', { tenant: stranger, id }))).toEqual([403, 'TENANT_MISMATCH']);
  });
});

describe('the hourly schedule', () => {
  const isUnfinished = async (id: string) =>
    (await world.exports.unfinished()).some(({ job_id }) => job_id === id);

  it('starts an export whose start was lost', async () => {
    world.setDown(true);
    await create({});
    world.setDown(false);
    const [id = ''] = idsOf(await world.call('list', { tenant }));

    await world.sweep();
    const tooEarly = world.running.has(id);
    world.time.now += HOUR;
    await world.sweep();

    expect([tooEarly, world.running.has(id)]).toEqual([false, true]);
    await world.run(client.named(id));
    expect(await client.get(id)).toMatchObject({ status: 'succeeded' });
  });

  it('leaves an export alone that is being worked on', async () => {
    const id = await client.post();
    world.time.now += HOUR;

    await world.sweep();

    expect((await client.get(id)).status).toBe('queued');
    expect(await isUnfinished(id)).toBe(true);
  });

  it('gives up an export that nothing works on any more, once', async () => {
    const id = await client.post();
    await world
      .run(client.named(id), {
        around: async (state, call) => {
          if (state === 'Gather' || state === 'Fail') throw new Error('the function is gone');
          return call();
        },
      })
      .catch(() => undefined);
    world.running.delete(id);
    world.ended.add(id);
    world.time.now += HOUR;

    await world.sweep();
    await world.sweep();

    expect(await client.get(id)).toMatchObject({ status: 'failed', error: { reason: 'internal' } });
    expect(await client.told()).toEqual([['export.failed', id]]);
    expect(await isUnfinished(id)).toBe(false);
  });

  it('stops an export that takes longer than six hours', async () => {
    const id = await client.post();
    const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = world.run(client.named(id), {
      around: async (state, call) => {
        if (state === 'Merge') {
          reached.resolve();
          await held.promise;
        }
        return call();
      },
    });
    await reached.promise;
    world.time.now += 6 * HOUR;

    await world.sweep();
    held.resolve();
    await run;

    expect(world.running.has(id)).toBe(false);
    expect(await client.get(id)).toMatchObject({ status: 'failed', error: { reason: 'timed_out' } });
    expect(await client.told()).toEqual([['export.failed', id]]);
  });
});
