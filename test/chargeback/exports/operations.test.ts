import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { DESTINATION } from './delivery/customerBucket.ts';
import { type ExportClient, exportClientOf, REQUEST, someLedger } from './exportClient.ts';
import { startExportHarness } from './harness.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let tenant: Tenant;
let client: ExportClient;
const world = await startExportHarness();
afterAll(() => world.live.stop());
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

describe('POST /v1/exports/focus', () => {
  it('returns 202 with the status URL of a queued job', async () => {
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

  it('marks the files of a sandbox, so that synthetic costs are not taken for real ones', async () => {
    const sandbox = world.newTenant({ name: 'Playground', sandbox: true });
    const own = exportClientOf(world, sandbox);
    await world.record(sandbox, someLedger());
    const id = await own.post({ file_format: 'csv' });

    await world.run(own.named(id));

    const rows = [...world.filesOf(id).values()].flatMap((file) =>
      file.toString('utf8').trim().split('\n').slice(1),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toContain('Playground (sandbox)');
  });

  it.each([
    [
      'a period that ends before it starts',
      { period: { from: '2026-11-01', to: '2026-10-01' } },
      ['/period/to'],
    ],
    ['a period that is not a date', { period: { from: 'October', to: '2026-10-01' } }, ['/period/from']],
    ['a future period', { period: { from: '2027-01-01', to: '2027-02-01' } }, ['/period/from']],
    [
      'a period before the ledger can exist',
      { period: { from: '0001-01-01', to: '0001-02-01' } },
      ['/period/from'],
    ],
    ['an unknown group_by field', { group_by: ['owner', 'person'] }, ['/group_by/1']],
    ['a tag that is no cost allocation tag', { tags: ['team'] }, ['/tags/0']],
    ['unknown columns', { columns: ['BilledCost', 'Cost', 'x_Person'] }, ['/columns/1', '/columns/2']],
    [
      'a column of another FOCUS version',
      { focus_version: '1.3', columns: ['InvoiceDetailId'] },
      ['/columns/0'],
    ],
    ['an unknown importer', { importer: 'excel' }, ['/importer']],
    ['an importer with a showback', { importer: 'vantage', cost_mode: 'showback' }, ['/cost_mode']],
    [
      'an importer with an older FOCUS version',
      { importer: 'vantage', focus_version: '1.3' },
      ['/focus_version'],
    ],
    ['an unknown format', { format: 'csv' }, ['/format']],
    ['an unknown member', { include_unattributed: true }, ['/include_unattributed']],
  ])('returns 422 VALIDATION_FAILED for %s', async (_, body, pointers) => {
    const answer = await create(body);

    expect(errorOf(answer)).toEqual([422, 'VALIDATION_FAILED']);
    expect(pointersOf(answer)).toEqual(pointers);
  });

  it.each([
    ['more than thirteen months', { period: { from: '2025-09-30T23:59:59Z', to: '2026-11-01' } }],
    ['five fields', { group_by: ['owner', 'service', 'provider', 'region', 'served_model'] }],
  ])('returns 422 EXPORT_TOO_LARGE for %s', async (_, body) => {
    expect(errorOf(await create(body))).toEqual([422, 'EXPORT_TOO_LARGE']);
    expect(world.started.some(({ tenant_id }) => tenant_id === tenant.tenant_id)).toBe(false);
  });

  it('creates one export when the start failed and the request is retried', async () => {
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

describe('GET /api/v1/jobs/{job_id} after the end', () => {
  it('returns new URLs that are valid for 15 minutes with each response', async () => {
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

  it('returns URLs to a user only within 15 minutes of the sign-in, and the status until the end at any time', async () => {
    await world.record(tenant, someLedger());
    const id = await client.post();
    const signedInAt = world.time.now - 16 * 60 * 1_000;
    const queued = await world.call('get', { tenant, id, signedInAt });
    await world.run(client.named(id));

    const old = await world.call('get', { tenant, id, signedInAt });
    const recent = await world.call('get', { tenant, id, signedInAt: world.time.now - 60_000 });

    expect([queued.status, queued.body['status']]).toEqual([200, 'queued']);
    expect(errorOf(old)).toEqual([401, 'STEP_UP_REQUIRED']);
    expect(old.text).not.toContain('manifest');
    expect(recent.body['manifest_url']).toEqual(expect.any(String));
  });

  it('returns status expired and no URLs after thirty days', async () => {
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

describe('POST /api/v1/jobs/{job_id}/deliver', () => {
  const MONTH = { period: { from: '2026-03-01', to: '2026-04-01' } };

  it('opens the delivery of a finished export, which the job and the request then name', async () => {
    const target = { destination_id: await world.destination(tenant, DESTINATION), name: 'chargeback' };
    const id = await client.post(MONTH);
    await world.run(client.named(id));

    const answer = await world.call('redeliver', { tenant, id, body: target });

    expect(answer).toMatchObject({
      status: 202,
      body: { delivery: { ...target, state: 'pending', attempts: 0 } },
    });
    expect(await client.get(id)).toMatchObject({ request: { delivery: target } });
    expect(errorOf(await world.call('redeliver', { tenant, id, body: target }))).toEqual([409, 'CONFLICT']);
  });

  it('refuses an export without files or of a part of a month, and a destination of another tenant', async () => {
    const name = 'chargeback';
    const own = { destination_id: await world.destination(tenant, DESTINATION), name };
    const other = { destination_id: await world.destination(world.newTenant(), DESTINATION), name };
    const queued = await client.post(MONTH);
    const part = await client.post();
    await world.run(client.named(part));
    const redeliver = (id: string, body: object) => world.call('redeliver', { tenant, id, body });

    expect(errorOf(await redeliver(queued, own))).toEqual([409, 'CONFLICT']);
    expect(errorOf(await redeliver(part, own))).toEqual([409, 'CONFLICT']);
    const answer = await redeliver(queued, other);
    expect([answer.status, pointersOf(answer)]).toEqual([422, ['/destination_id']]);
  });
});

describe('POST /api/v1/jobs/{job_id}/cancel', () => {
  it('prevents a queued export from starting and publishes no event', async () => {
    const id = await client.post();

    const answer = await world.call('cancel', { tenant, id });
    await world.run(client.named(id));

    expect([answer.status, answer.body['status']]).toEqual([200, 'cancelled']);
    expect(await client.get(id)).toMatchObject({ status: 'cancelled', result: null });
    expect(world.filesOf(id).size).toBe(0);
    expect(await client.finishedEvents()).toEqual([]);
    expect((await world.exports.unfinished(null)).items).not.toContainEqual(client.named(id));
  });

  it('gives one final status when the export starts at the same time', async () => {
    const id = await client.post();

    const [answer] = await Promise.all([world.call('cancel', { tenant, id }), world.run(client.named(id))]);

    const { status } = await client.get(id);
    expect(status).toBe(answer.status === 200 ? 'cancelled' : 'succeeded');
    expect(await client.finishedEvents()).toEqual(status === 'cancelled' ? [] : [['export.completed', id]]);
  });

  it('returns 409 for a running or ended export', async () => {
    const id = await client.post();
    const errors: unknown[] = [];

    await world.run(client.named(id), {
      around: async (state, call) => {
        if (state === 'Gather') errors.push(errorOf(await world.call('cancel', { tenant, id })));
        return call();
      },
    });
    errors.push(errorOf(await world.call('cancel', { tenant, id })));

    expect(new Set(errors.map(String))).toEqual(new Set(['409,CONFLICT']));
    expect(errors.length).toBeGreaterThan(1);
  });
});

describe('GET /v1/exports', () => {
  it('returns all exports in pages, newest first', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await client.post());

    const listed: unknown[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '2', ...(cursor !== undefined && { cursor }) };
      const answer = await world.call('list', { tenant, query });
      listed.push(...idsOf(answer));
      const page = Object(answer.body['page']);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);

    expect(listed).toEqual(ids.toReversed());
    expect(idsOf(await world.call('jobs', { tenant }))).toEqual(listed);
  });

  it('returns only exports of the lane of the credential', async () => {
    const [all, own, other] = [await client.post(), await client.post({}, 'eu'), await client.post({}, 'us')];

    const listed = idsOf(await world.call('list', { tenant, residency: 'eu' }));
    const answers = await Promise.all(
      [all, own, other].map((id) => world.call('get', { tenant, id, residency: 'eu' })),
    );

    expect(listed).toEqual([own]);
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

  it('returns no exports of another tenant', async () => {
    await client.post();
    const otherTenant = world.newTenant();

    expect(idsOf(await world.call('list', { tenant: otherTenant }))).toEqual([]);
  });
});

describe('the hourly reaper', () => {
  const isUnfinished = async (id: string) =>
    (await world.exports.unfinished(null)).items.some(({ job_id }) => job_id === id);

  it('starts an export whose start was lost', async () => {
    world.setDown(true);
    await create({});
    world.setDown(false);
    const [id = ''] = idsOf(await world.call('list', { tenant }));

    await world.reap();
    const tooEarly = world.running.has(id);
    world.time.now += HOUR;
    await world.reap();

    expect([tooEarly, world.running.has(id)]).toEqual([false, true]);
    await world.run(client.named(id));
    expect(await client.get(id)).toMatchObject({ status: 'succeeded' });
  });

  it('does not change an export whose execution runs', async () => {
    const id = await client.post();
    world.time.now += HOUR;

    await world.reap();

    expect((await client.get(id)).status).toBe('queued');
    expect(await isUnfinished(id)).toBe(true);
  });

  it('fails an export once when its execution has ended without a result', async () => {
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

    await world.reap();
    await world.reap();

    expect(await client.get(id)).toMatchObject({ status: 'failed', error: { reason: 'internal' } });
    expect(await client.finishedEvents()).toEqual([['export.failed', id]]);
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

    await world.reap();
    held.resolve();
    await run;

    expect(world.running.has(id)).toBe(false);
    expect(await client.get(id)).toMatchObject({ status: 'failed', error: { reason: 'timed_out' } });
    expect(await client.finishedEvents()).toEqual([['export.failed', id]]);
  });
});
