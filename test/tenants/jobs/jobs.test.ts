import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { markFailed, markSucceeded, newJob } from '../../../functions/platform/jobs/job.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { sandboxStore } from '../../../functions/tenants/sandbox/sandbox.store.ts';
import { newSandbox } from '../../../functions/tenants/sandbox/sandbox.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import type { Job, JobRequest } from '../../../schemas/jobs.ts';
import { pageOf } from '../../../schemas/page.ts';
import { recallModel, trainModel } from '../../../schemas/routes/attribution/models.ts';
import { reprocessRecords } from '../../../schemas/routes/attribution/reprocessing.ts';
import { createFocusExport } from '../../../schemas/routes/chargeback/exports.ts';
import { type RouteShape, sufficientScopes } from '../../../schemas/routes/route.ts';
import { getDiagnostics } from '../../../schemas/routes/tenants/diagnostics.ts';
import { type JobType, jobReaders, jobTypes } from '../../../schemas/routes/tenants/jobs.ts';
import { resetSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { REQUEST } from '../../chargeback/exports/exportClient.ts';
import { startExportHarness } from '../../chargeback/exports/harness.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { expectNoFaults, unequal } from '../../support/faults.ts';

const AT = Date.parse('2026-11-20T00:00:00Z');
const period = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
const recall = { kind: 'model', version: 'mdl_1' } as const;
const requests: readonly JobRequest[] = [
  { type: 'training' },
  { type: 'reprocessing', period, selection: { kind: 'all' } },
  { type: 'reprocessing', period: { ...period, from: '1970-01-01T00:00:00.000Z' }, selection: recall },
  { type: 'allocation', period },
  { type: 'archive', day: '2026-11-01' },
  { type: 'node_hours', hour: '2026-11-01T10:00:00.000Z' },
];
const Page = pageOf(z.object({ job_id: z.string() }), 'TestPage');
const ulidAt = (index: number): string => `01KAFB0000000000000000000${index}`;

let tenant: Tenant;
const world = await startExportHarness();
afterAll(() => world.live.stop());

/** Stores a job of each request, an export and the reset of a sandbox. */
let jobs: Job[];
beforeEach(async () => {
  tenant = world.newTenant({ sandbox: true, residency: ['eu'] });
  jobs = requests.map((request, index) => newJob(tenant, ulidAt(index), request, AT + index));
  await commit(jobs.flatMap((job) => jobStore('jobs').create(job, { claim: job.job_id, attempt: 0 })));
  const id = idOf('rst', tenant.tag, ulidAt(9));
  await commit([
    sandboxStore('tenants').put(tenant.tenant_id, newSandbox({ id, live: false, now: AT + 9 }), {
      expectedRevision: null,
      by: { claim: id, attempt: 0 },
    }),
  ]);
  const created = await world.call('create', { tenant, body: REQUEST }, ['export:create']);
  expect(created.status).toBe(202);
});

const list = (
  scopes: readonly Scope[],
  query: Record<string, string> = {},
  residency: string | null = null,
) => world.call('jobs', { tenant, residency, query }, scopes);
const get = (id: string, scopes: readonly Scope[], residency: string | null = null) =>
  world.call('get', { tenant, residency, id }, scopes);
const save = async (job: Job): Promise<void> => {
  const found = await jobStore('jobs').read(job);
  const by = { claim: job.job_id, attempt: 1 };
  expect(found !== null && (await jobStore('jobs').save(job, found.revision, by))).toBe(true);
};
const typesOf = ({ body }: TestResponse): string[] =>
  Array.isArray(body['data']) ? [...new Set(body['data'].map(({ type }) => String(type)))].toSorted() : [];
const errorOf = ({ status, body }: TestResponse) => [status, body['error_code']];

const INTERNAL: readonly JobType[] = ['allocation', 'archive', 'node_hours', 'reprocessing', 'training'];

it('shows jobs of a type to whoever may start them, and trainings and the like to readers of diagnostics', async () => {
  const started: Readonly<Record<JobType, readonly RouteShape[]>> = {
    focus_export: [createFocusExport],
    training: [trainModel, getDiagnostics],
    reprocessing: [reprocessRecords, recallModel, getDiagnostics],
    allocation: [getDiagnostics],
    node_hours: [getDiagnostics],
    archive: [getDiagnostics],
    sandbox_reset: [resetSandbox],
  };
  await expectNoFaults(jobTypes, String, (type) =>
    unequal(
      'readers',
      jobReaders[type].toSorted(),
      [...new Set(started[type].flatMap(sufficientScopes).flat())].toSorted(),
    ),
  );
});

describe('GET /api/v1/jobs', () => {
  it.each<[readonly Scope[], readonly JobType[]]>([
    [['ingest:write'], []],
    [['export:create'], ['focus_export']],
    [['finance:config'], ['reprocessing']],
    [['read:reporting'], INTERNAL],
    [['admin:config'], [...INTERNAL, 'sandbox_reset']],
    [['admin:config', 'export:create', 'read:attribution'], jobTypes],
  ])('lists with %s the jobs that these scopes may start or see', async (scopes, types) => {
    expect(typesOf(await list(scopes))).toEqual(types.toSorted());
  });

  it.each<[string, readonly Scope[], string | null, Record<string, string>, [number, string]]>([
    [
      'for a type of other scopes',
      ['export:create'],
      null,
      { type: 'training' },
      [403, 'INSUFFICIENT_SCOPE'],
    ],
    ['for a type of every lane', ['admin:config'], 'eu', { type: 'training' }, [409, 'RESIDENCY_BLOCKED']],
  ])('refuses the list %s', async (_, scopes, residency, query, error) => {
    expect(errorOf(await list(scopes, query, residency))).toEqual(error);
  });

  it('walks all jobs in pages, newest first, and only those of a type that is asked for', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor !== null && { cursor }) };
      const { data, page } = Page.parse((await list(['admin:config'], query)).body);
      ids.push(...data.map(({ job_id }) => job_id));
      cursor = page.next_cursor;
    } while (cursor !== null);

    expect(ids).toEqual([
      idOf('job', tenant.tag, ulidAt(9)),
      ...jobs.map(({ job_id }) => job_id).toReversed(),
    ]);
    expect((await list(['admin:config'], { type: 'reprocessing', limit: '1' })).body).toMatchObject({
      data: [{ type: 'reprocessing', recalled_model: 'mdl_1' }],
      page: { has_more: true },
    });
  });
});

describe('GET /api/v1/jobs/{job_id}', () => {
  it('shows what a job does, its progress, its result and its error', async () => {
    const [training, reprocessing, recalled] = jobs;
    if (training === undefined || reprocessing === undefined || recalled === undefined) throw new Error();
    const counted = { ...reprocessing, progress: { examined: 7, changed: 3 } };
    await save(markSucceeded(counted, AT + 1_000));
    await save(markFailed(recalled, AT + 1_000));
    const scopes: Scope[] = ['admin:config', 'read:attribution'];

    expect((await get(training.job_id, scopes)).body).toMatchObject({
      status: 'queued',
      period: null,
      progress: { done: 0, total: 0 },
      result: null,
      error: null,
    });
    expect((await get(reprocessing.job_id, scopes)).body).toEqual({
      job_id: reprocessing.job_id,
      type: 'reprocessing',
      status: 'succeeded',
      created_at: reprocessing.created_at,
      finished_at: new Date(AT + 1_000).toISOString(),
      period,
      recalled_model: null,
      progress: { done: 7, total: 0 },
      result: { examined: 7, changed: 3 },
      error: null,
    });
    expect((await get(recalled.job_id, scopes)).body).toMatchObject({
      status: 'failed',
      recalled_model: 'mdl_1',
      result: null,
      error: { reason: 'internal' },
    });
  });

  it('counts no records for a caller that may not see single calls, because it can choose which are counted', async () => {
    const [, reprocessing] = jobs;
    if (reprocessing === undefined) throw new Error();
    await save(markSucceeded({ ...reprocessing, progress: { examined: 7, changed: 3 } }, AT + 1_000));

    expect((await get(reprocessing.job_id, ['finance:config'])).body).toMatchObject({
      status: 'succeeded',
      progress: null,
      result: {},
    });
  });

  it.each<[string, number, readonly Scope[], string | null, [number, string]]>([
    [
      'of a type that the caller may not start or see',
      0,
      ['finance:config'],
      null,
      [403, 'INSUFFICIENT_SCOPE'],
    ],
    ['for a caller without a scope of any job', 0, ['ingest:write'], null, [403, 'INSUFFICIENT_SCOPE']],
    ['of every lane for a credential with a lane', 1, ['admin:config'], 'eu', [409, 'RESIDENCY_BLOCKED']],
  ])('refuses a job %s', async (_, index, scopes, residency, error) => {
    expect(errorOf(await get(jobs[index]?.job_id ?? '', scopes, residency))).toEqual(error);
  });

  it('shows the reset of a sandbox, with the calls that it sent', async () => {
    expect((await get(idOf('job', tenant.tag, ulidAt(9)), ['admin:config'])).body).toMatchObject({
      type: 'sandbox_reset',
      status: 'queued',
      progress: { done: 0, total: 3_000 },
      result: null,
    });
  });

  it('returns 404 for an id without a job', async () => {
    const id = idOf('job', tenant.tag, ulidAt(8));
    expect(errorOf(await get(id, ['admin:config', 'export:create']))).toEqual([404, 'NOT_FOUND']);
  });
});
