import { randomUUID } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lateDayCloser, lateDays } from '../../../functions/ledger/archive/closing/closeLateDay.ts';
import type { LateDay } from '../../../functions/ledger/archive/closing/lateDays.ts';
import { ROW_MILLISECONDS } from '../../../functions/ledger/records/ledgerItem.ts';
import { recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { unarchivedDays } from '../../../functions/ledger/records/unarchivedDay.store.ts';
import { periodVersionReader } from '../../../functions/ledger/rollups/periodVersions.store.ts';
import { type JobMessage, jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { tenantReader, tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { Job, JobOf } from '../../../schemas/jobs.ts';
import { NOT_CLOSED } from '../../../schemas/ledger/archive.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant, testRecord, ulidOfRecord, writeRecord } from '../records/ledgerFixture.ts';
import { minuteOf } from '../rollups/rollupFixture.ts';
import { DAY, MARCH, recordsOfDay, startArchive } from './archiveFixture.ts';
import { expireRows } from './expireRows.ts';
import { answersOf } from './ledgerAnswers.ts';

const lines: string[] = [];
const live = await startTables();
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => live.stop());

/** Eleven days before the first row of the day expires. */
const LATE = MARCH + 46 * DAY_MS;
const EXPIRY = MARCH + ROW_MILLISECONDS + DAY_MS;

const isArchiveJob = (job: Job): job is JobOf<'archive'> => job.request.type === 'archive';
const alarms = (): unknown[] =>
  lines.map((line): { message: string } => JSON.parse(line)).filter(({ message }) => message === NOT_CLOSED);

const startScene = async () => {
  let now = MARCH + 2 * DAY_MS;
  const clock = () => now;
  const archive = startArchive({ now: clock });
  const tenant: Tenant = { ...newTenant(), tenant_id: `late-${randomUUID()}` };
  const writer = tenantWriter('tenants');
  await commit([writer.putTenant(tenant, { expectedRevision: null, by: { claim: 'test', attempt: 1 } })]);
  const records = recordsOfDay(5);
  await archive.write(tenant, records);
  const unarchived = unarchivedDays('ledger');
  const jobs = jobStore('jobs');
  const sent: JobMessage[] = [];
  const send = async (job: JobMessage) => void sent.push(job);
  const close = lateDayCloser({
    unarchived,
    tenants: tenantReader('tenants'),
    jobs,
    queue: { send, sendAfterPropagation: send },
    versions: periodVersionReader('rollups'),
    directory: archive.directory,
    clock,
  });
  const source = lateDays(unarchived, clock);
  /** The late days of this tenant, over all pages. */
  const late = async (): Promise<LateDay[]> => {
    const found: LateDay[] = [];
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof source.page>> = await source.page(after);
      found.push(...page.items.filter(({ tenant_id }) => tenant_id === tenant.tenant_id));
      if (page.next === null) return found;
      after = page.next;
    }
  };
  return {
    archive,
    tenant,
    records,
    sent,
    late,
    at: (time: number) => {
      now = time;
    },
    clock,
    turn: async (): Promise<void> => {
      for (const day of await late()) await close(day);
    },
    runSent: async (): Promise<void> => {
      for (const message of sent.splice(0)) {
        const found = await jobs.read(message);
        if (found !== null && isArchiveJob(found.document)) await archive.run(found.document);
      }
    },
  };
};

describe('a day whose rows expire within 11 days', () => {
  it('is listed by the ledger itself, names its tenant in an alarm, and keeps its rows by a job', async () => {
    const scene = await startScene();
    const { archive, tenant, records } = scene;
    // The totals lack this record, so the day cannot be closed.
    const uncounted = testRecord(MARCH + HOUR_MS, 99);
    await writeRecord(tenant, uncounted, MARCH + HOUR_MS);
    const all = [...records, uncounted];
    const before = await answersOf(archive.rows, tenant, all);
    expect(await scene.late()).toEqual([]);

    scene.at(LATE);
    await scene.turn();
    expect(alarms()).toMatchObject([{ tenant_id: tenant.tenant_id, day: DAY, reason: 'rows expire soon' }]);
    await scene.runSent();
    scene.at(EXPIRY);
    await expireRows(live.client, tenant, EXPIRY);

    expect(await archive.directory.read(tenant.tenant_id, DAY)).toBeNull();
    expect(await answersOf(archive.rows, tenant, all)).toEqual(before);
    expect(await scene.late()).toHaveLength(1);
  });

  it('gets one job a day, which is sent again while it is not finished, and another one on the next day', async () => {
    const scene = await startScene();
    scene.at(LATE);
    await scene.turn();
    await scene.turn();
    const first = new Set(scene.sent.splice(0).map(({ job_id }) => job_id));
    expect(first.size).toBe(1);

    scene.at(LATE + DAY_MS);
    await scene.turn();

    expect(scene.sent).toHaveLength(1);
    expect(first.has(scene.sent[0]?.job_id ?? '')).toBe(false);
  });

  it('is taken off the list without an alarm when its files have all versions', async () => {
    const scene = await startScene();
    await scene.archive.close(scene.tenant);
    scene.at(LATE);
    expect(await scene.late()).toHaveLength(1);

    await scene.turn();

    expect([await scene.late(), scene.sent, alarms()]).toEqual([[], [], []]);
  });

  it('is listed again by a row that is written after it was closed', async () => {
    const scene = await startScene();
    const { archive, tenant, records } = scene;
    await archive.close(tenant);
    const [corrected] = records;
    if (corrected === undefined) throw new Error('no record');
    scene.at(MARCH + 30 * DAY_MS);
    const ulid = ulidOfRecord(tenant, corrected);
    const key = { partition: recordPartitionOf(tenant, ulid), ulid };
    const corrections = recordVersionStore('ledger', scene.clock);
    const current = await corrections.find(tenant.tenant_id, key);
    if (current === null) throw new Error('no record');
    await corrections.announce(key, current.newest.attribution);
    scene.at(MARCH + 77 * DAY_MS);

    expect((await scene.late()).map(({ written }) => written)).toEqual([DAY, '2026-04-14']);
  });

  it('is taken off the list when its tenant is erased', async () => {
    const scene = await startScene();
    await live.client.send(
      new DeleteItemCommand({ TableName: 'tenants', Key: { pk: { S: `tenant#${scene.tenant.tenant_id}` } } }),
    );
    scene.at(LATE);

    await scene.turn();

    expect([await scene.late(), scene.sent, alarms()]).toEqual([[], [], []]);
  });
});

it('lists a day once for each day of writing, whatever the number of its rows', async () => {
  const scene = await startScene();
  await scene.archive.write(scene.tenant, recordsOfDay(9).slice(5));
  const late = testRecord(MARCH + HOUR_MS, 98);
  await writeRecord(scene.tenant, late, MARCH + 3 * DAY_MS);
  await scene.archive.compute(scene.tenant, [minuteOf(late.occurredAt)]);
  scene.at(LATE + 10 * DAY_MS);

  expect((await scene.late()).map(({ written }) => written)).toEqual([DAY, '2026-03-18']);
});
