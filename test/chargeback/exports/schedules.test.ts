import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { EXPORT_SCHEDULES_MAXIMUM } from '../../../schemas/chargeback/exports.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { updateExportSchedule } from '../../../schemas/routes/chargeback/exports.ts';
import { keyIdOf, storeKey } from '../../delivery/webhooks/authorizing.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { customerBucket, DESTINATION } from './delivery/customerBucket.ts';
import { startExportHarness } from './harness.ts';
import { byPersons } from './records.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const TERMS = { format: 'focus', group_by: ['owner'] };

let tenant: Tenant;
const world = await startExportHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
  await storeKey(tenant);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  world.setDown(false);
  vi.restoreAllMocks();
});

const create = (members: object = {}, residency: string | null = null) =>
  world.call('createSchedule', {
    tenant,
    residency,
    principal: keyIdOf(tenant),
    body: { every: 'day', request: TERMS, ...members },
  });
const listScheduleIds = async (residency: string | null = null): Promise<unknown[]> => {
  const { data } = (await world.call('listSchedules', { tenant, residency })).body;
  return Array.isArray(data) ? data : [];
};
const changePeriod = (name: 'close' | 'reopen') =>
  world.call(name, { tenant, id: '2026-10', ...(name === 'reopen' && { body: { reason: 'a late file' } }) }, [
    'finance:config',
    'read:reporting',
  ]);
const errorOf = ({ status, body }: TestResponse) => [status, body['error_code']];

/** The number of final exports after each step, at the time of which the due exports are opened. */
const finalsAfter = async (
  steps: readonly (readonly [at: number, step?: () => Promise<unknown>])[],
): Promise<number[]> => {
  const before = world.time.now;
  const counts: number[] = [];
  for (const [at, step] of steps) {
    world.time.now = at;
    await step?.();
    await world.openDue(tenant, at);
    const { data } = (await world.call('list', { tenant })).body;
    counts.push((Array.isArray(data) ? data : []).filter(({ edition }) => edition === 'final').length);
  }
  world.time.now = before;
  return counts;
};

describe('the exports of a schedule', () => {
  it('creates each export once despite repeated and concurrent runs', async () => {
    await create();
    world.time.now += DAY;

    await world.openDue(tenant, world.time.now);
    await Promise.all([1, 2, 3].map(() => world.openDue(tenant, world.time.now)));
    await world.openDue(tenant, world.time.now + HOUR);

    const { data } = (await world.call('list', { tenant })).body;
    const jobs = Array.isArray(data) ? data : [];
    const [schedule] = await listScheduleIds();
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({
      status: 'queued',
      edition: 'provisional',
      created_by: Object(schedule).id,
      request: { group_by: ['owner'], file_format: 'csv.gz' },
    });
    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toHaveLength(1);
  });

  it('waits for totals that are complete, a day at most', async () => {
    await create();
    world.lags.set(tenant.tenant_id, { isStale: true, incompleteSince: null });
    await world.openDue(tenant, world.time.now + 4 * HOUR);
    const early = world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id).length;
    await world.openDue(tenant, world.time.now + 24 * HOUR);
    world.lags.delete(tenant.tenant_id);

    expect(early).toBe(0);
    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).not.toHaveLength(0);
  });

  it('makes a final export again, once a day at most, when the totals of its month have changed', async () => {
    const october = (minute: number) =>
      byPersons(5, { at: `2026-10-14T12:${String(minute).padStart(2, '0')}:00.000Z` });
    await create({ every: 'month' });
    await world.record(tenant, october(1));
    const NINTH = Date.parse('2026-11-09T03:10:00Z');

    const counts = await finalsAfter([
      [NINTH],
      [NINTH + HOUR],
      [NINTH + 2 * HOUR, () => world.record(tenant, october(2))],
      [NINTH + DAY],
      [NINTH + 3 * DAY],
      [NINTH + 4 * DAY, () => world.record(tenant, october(3))],
    ]);

    expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
  });

  it('makes a final export once for each close of its month, whatever comes later, and again after it is reopened', async () => {
    const october = (minute: number) => byPersons(5, { at: `2026-10-14T12:0${minute}:00.000Z` });
    await create({ every: 'month' });
    await world.record(tenant, october(1));
    const NINTH = Date.parse('2026-11-09T03:10:00Z');
    const counts = await finalsAfter([
      [NINTH],
      [NINTH + HOUR, () => changePeriod('close')],
      [NINTH + DAY],
      [NINTH + 2 * DAY, () => world.record(tenant, october(2))],
      [NINTH + 3 * DAY, () => world.record(tenant, october(3))],
      [NINTH + 4 * DAY, () => changePeriod('reopen')],
      [NINTH + 5 * DAY],
    ]);

    expect(counts).toEqual([1, 1, 2, 2, 2, 3, 3]);
  });

  it('makes the final export of the first open month again when only a closed month changes, and not that of a later one', async () => {
    const call = (month: string, minute: number) =>
      byPersons(5, { at: `2026-${month}-14T12:0${minute}:00.000Z` });
    const before = world.time.now;
    await create({ every: 'month' });
    const NINTH = Date.parse('2026-12-09T03:10:00Z');
    world.time.now = NINTH - DAY;
    await world.record(tenant, [...call('10', 1), ...call('11', 1)]);
    const counts = await finalsAfter([
      [NINTH, async () => expect(await changePeriod('close')).toMatchObject({ status: 200 })],
      [NINTH + DAY],
      [NINTH + 2 * DAY, () => world.record(tenant, call('10', 2))],
      [NINTH + 3 * DAY],
      [NINTH + 4 * DAY, () => changePeriod('reopen')],
      [NINTH + 5 * DAY, () => world.record(tenant, call('10', 3))],
      [NINTH + 6 * DAY],
    ]);
    world.time.now = before;

    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 3]);
  });

  it('delivers its exports, with the corrections of a closed month', async () => {
    const before = world.time.now;
    const bucket = customerBucket();
    const destination = await world.destination(tenant, DESTINATION);
    bucket.trust(destination);
    const delivery = { destination_id: destination, name: 'chargeback' };
    const call = (minute: number) => byPersons(6, { at: `2026-10-14T12:0${minute}:00.000Z` });
    expect((await create({ request: { ...TERMS, delivery } })).status).toBe(201);
    world.time.now = Date.parse('2026-11-09T02:10:00Z');
    await world.record(tenant, [...call(1), ...byPersons(5, { at: '2026-11-03T05:00:00.000Z' })]);
    world.time.now += HOUR;
    expect((await changePeriod('close')).status).toBe(200);
    world.time.now += HOUR;
    await world.record(tenant, call(2));

    await world.openDue(tenant, world.time.now);
    const jobs = world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id);
    for (const job of jobs) {
      await world.run(job);
      await world.deliver(bucket.access, job);
    }
    world.time.now = before;

    const current = (month: string) =>
      Object(bucket.json(`ai/chargeback/metadata/BILLING_PERIOD=${month}/chargeback-Manifest.json`));
    expect(current('2026-10')).toMatchObject({
      delivered: { version: 1, supersedes: null, edition: 'final' },
      billing_periods: [{ period: '2026-10', state: 'adjusted' }],
      ledger: { records: 6 },
    });
    expect(current('2026-11')).toMatchObject({
      delivered: { version: 1, supersedes: null, edition: 'provisional' },
      ledger: { records: 5 },
      corrections: [{ period: '2026-10', ledger: { records: 6 } }],
    });
    const filesIn = (folder: string) =>
      [...bucket.objects].filter(([key]) => key.startsWith(folder)).map(([, bytes]) => bytes);
    expect(filesIn('ai/chargeback/data/').toSorted(Buffer.compare)).toEqual(
      jobs.flatMap(({ job_id }) => [...world.filesOf(job_id).values()]).toSorted(Buffer.compare),
    );
    const told = (await world.eventsOf(tenant)).filter(({ type }) => type === 'export.delivered');
    expect(told.map(({ data }) => data['billing_period']).toSorted()).toEqual(['2026-10', '2026-11']);
  });

  it('starts an export in the next run when its start was lost', async () => {
    await create();
    world.time.now += DAY;
    world.setDown(true);
    await expect(world.openDue(tenant, world.time.now)).rejects.toThrow('no answer');
    world.setDown(false);

    world.time.now += HOUR;
    await world.reap();

    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toHaveLength(1);
  });
});

describe('an export schedule', () => {
  it.each<[string, Parameters<typeof storeKey>[1]]>([
    ['is revoked', { revoked_at: '2026-11-02T12:00:00.000Z' }],
    ['has lost the scope', { scopes: ['read:reporting'] }],
  ])('fails each due export once as unauthorized when its creator %s', async (_, members) => {
    await create();
    await storeKey(tenant, members);
    world.time.now += DAY;

    await Promise.all([1, 2].map(() => world.openDue(tenant, world.time.now)));
    await world.openDue(tenant, world.time.now + HOUR);
    await world.reap();

    expect((await world.call('list', { tenant })).body['data']).toMatchObject([
      { status: 'failed', error: { reason: 'unauthorized' }, result: null },
    ]);
    expect(await world.eventsOf(tenant)).toMatchObject([
      { type: 'export.failed', data: { reason: 'unauthorized' } },
    ]);
    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toEqual([]);
  });

  it.each<[string, readonly Scope[], string]>([
    ['records while its creator has read:attribution', ['export:create', 'read:attribution'], 'records'],
    ['cohorts after its creator lost read:attribution', ['export:create'], 'cohorts'],
  ])('makes its exports from %s', async (_, scopes, basis) => {
    await create();
    await storeKey(tenant, { scopes: [...scopes] });
    world.time.now += DAY;

    await world.openDue(tenant, world.time.now);
    // Another test would be in another month.
    world.time.now -= DAY;

    expect((await world.call('list', { tenant })).body['data']).toMatchObject([{ status: 'queued', basis }]);
  });

  it('creates its exports again when its creator regains the scope', async () => {
    await create();
    await storeKey(tenant, { scopes: ['read:reporting'] });
    world.time.now += DAY;
    await world.openDue(tenant, world.time.now);
    await storeKey(tenant);

    await world.openDue(tenant, world.time.now + DAY);

    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toHaveLength(1);
  });

  it('continues when the key of its creator expires', async () => {
    await create();
    await storeKey(tenant, { expires_at: '2026-11-02T12:00:00.000Z' });
    world.time.now += DAY;

    await world.openDue(tenant, world.time.now);

    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toHaveLength(1);
  });

  it('creates no exports after it is deleted', async () => {
    const { body } = await create();
    const id = String(body['id']);

    const answer = await world.call('deleteSchedule', { tenant, id });
    world.time.now += DAY;
    await world.openDue(tenant, world.time.now);

    expect(answer.status).toBe(204);
    expect(await listScheduleIds()).toEqual([]);
    expect(errorOf(await world.call('getSchedule', { tenant, id }))).toEqual([404, 'NOT_FOUND']);
    expect(errorOf(await world.call('deleteSchedule', { tenant, id }))).toEqual([404, 'NOT_FOUND']);
    expect(world.started.filter(({ tenant_id }) => tenant_id === tenant.tenant_id)).toEqual([]);
  });

  it('follows a change from its next export on, with the rights of who changed it', async () => {
    const { body } = await create();
    const id = String(body['id']);
    const other = `key_${tenant.tag}01ARZ3NDEKTSV4RRFFQ69G5FB0`;

    const answer = await world.call('updateSchedule', {
      tenant,
      id,
      principal: other,
      body: { request: { ...TERMS, group_by: ['service'] } },
    });
    world.time.now += DAY;
    await world.openDue(tenant, world.time.now);
    world.time.now -= DAY;

    expect(answer).toMatchObject({
      status: 200,
      body: { id, every: 'day', request: { group_by: ['service'] }, changed_by: other },
    });
    expect(updateExportSchedule.replies[200].body.parse(answer.body)).toEqual(answer.body);
    expect((await world.call('getSchedule', { tenant, id })).body).toEqual(answer.body);
    expect(await listScheduleIds()).toMatchObject([{ id, request: { group_by: ['service'] } }]);
    // The key that changed it does not exist, so the key that created it does not count any more.
    const { data } = (await world.call('list', { tenant })).body;
    const [first] = Array.isArray(data) ? data : [];
    expect(first).toMatchObject({
      status: 'failed',
      request: { group_by: ['service'] },
      error: { reason: 'unauthorized' },
    });
  });

  it.each([
    ['without a member', {}, 422, 'VALIDATION_FAILED'],
    ['to another period', { every: 'hour' }, 422, 'VALIDATION_FAILED'],
    [
      'to an impossible file',
      { request: { ...TERMS, importer: 'vantage', file_format: 'parquet' } },
      422,
      'VALIDATION_FAILED',
    ],
    [
      'to rows of single calls without read:attribution',
      { request: { ...TERMS, granularity: 'record' } },
      403,
      'INSUFFICIENT_SCOPE',
    ],
  ])('is not changed %s', async (_, change, status, code) => {
    const before = await create();

    const sent = { tenant, id: String(before.body['id']), body: change };
    const refused = await world.call('updateSchedule', sent, ['export:create']);

    expect(errorOf(refused)).toEqual([status, code]);
    expect(await listScheduleIds()).toEqual([before.body]);
  });

  it('is changed by both of two concurrent changes', async () => {
    const { body } = await create();
    const change = (members: object) =>
      world.call('updateSchedule', { tenant, id: String(body['id']), body: members });

    const answers = await Promise.all([
      change({ every: 'month' }),
      change({ request: { ...TERMS, group_by: ['provider'] } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await listScheduleIds()).toMatchObject([{ every: 'month', request: { group_by: ['provider'] } }]);
  });

  it.each([
    [{ every: 'hour' }, 'VALIDATION_FAILED'],
    [{ request: { ...TERMS, period: { from: '2026-01-01', to: '2026-02-01' } } }, 'VALIDATION_FAILED'],
    [{ request: { ...TERMS, columns: ['Cost'] } }, 'VALIDATION_FAILED'],
    [{ request: { ...TERMS, importer: 'vantage', file_format: 'parquet' } }, 'VALIDATION_FAILED'],
    [
      { request: { ...TERMS, group_by: ['owner', 'service', 'provider', 'region', 'served_model'] } },
      'EXPORT_TOO_LARGE',
    ],
  ])('returns 422 when its exports would be invalid: %j', async (members, code) => {
    expect(errorOf(await create(members))).toEqual([422, code]);
  });

  it('belongs to the lane of the credential that created it', async () => {
    const { body } = await create({}, 'eu');

    expect(body['residency']).toBe('eu');
    expect([await listScheduleIds('eu'), await listScheduleIds('us')].map((ids) => ids.length)).toEqual([
      1, 0,
    ]);
    const refused = await world.call('deleteSchedule', { tenant, id: String(body['id']), residency: 'us' });
    expect(errorOf(refused)).toEqual([409, 'RESIDENCY_BLOCKED']);
    const change = { tenant, id: String(body['id']), residency: 'us', body: { every: 'month' } };
    expect(errorOf(await world.call('updateSchedule', change))).toEqual([409, 'RESIDENCY_BLOCKED']);
  });

  it(`returns 422 beyond ${EXPORT_SCHEDULES_MAXIMUM} schedules, also with concurrent requests`, async () => {
    const first = await Promise.all(Array.from({ length: EXPORT_SCHEDULES_MAXIMUM - 2 }, () => create()));
    const more = await Promise.all([1, 2, 3, 4].map(() => create()));

    const statuses = [...first, ...more].map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(EXPORT_SCHEDULES_MAXIMUM);
    expect(await listScheduleIds()).toHaveLength(statuses.filter((status) => status === 201).length);
    while ((await listScheduleIds()).length < EXPORT_SCHEDULES_MAXIMUM) await create();
    expect(errorOf(await create())).toEqual([422, 'VALIDATION_FAILED']);
  });
});
