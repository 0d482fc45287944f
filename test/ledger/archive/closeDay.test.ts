import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { totalsOfRollup } from '../../../functions/ledger/archive/archiveTotals.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant, testRecord, writeRecord, writeVersion } from '../records/ledgerFixture.ts';
import { minuteOf } from '../rollups/rollupFixture.ts';
import { CLOSING, DAY, MARCH, recordsOfDay, startArchive } from './archiveFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

const keysOf = (archive: ReturnType<typeof startArchive>): string[] => [...archive.bucket.stored.keys()];

describe('closing a day', () => {
  it('writes every version into files whose sums equal the totals of the reports', async () => {
    const archive = startArchive({ fileRows: 4 });
    const tenant = newTenant();
    const records = recordsOfDay(11, [0, 2]);
    await archive.write(tenant, records);
    const [corrected] = records;
    if (corrected === undefined) throw new Error('no record');
    await writeVersion(live.client, tenant, corrected, 2, CLOSING - LENGTH.hour);
    await archive.compute(tenant, [minuteOf(corrected.occurredAt)]);

    await archive.close(tenant);

    const manifest = await archive.manifest(tenant);
    const [rollup] = await archive.rollups.read(tenant.tenant_id, {
      grain: 'day',
      from: MARCH,
      to: MARCH + LENGTH.day,
    });
    if (rollup === undefined) throw new Error('no rollup');
    expect(manifest?.totals).toEqual(totalsOfRollup(rollup));
    expect(manifest?.totals).toMatchObject({ versions: 12, records: 11 });
    expect(manifest?.files.reduce((sum, { rows }) => sum + rows, 0)).toBe(12);
    expect(manifest?.files.length).toBeGreaterThan(1);
    expect(keysOf(archive).sort()).toEqual(
      [...(manifest?.files.map(({ key }) => key) ?? []), expect.stringMatching('^manifests/')].sort(),
    );
  });

  it('publishes nothing while the sums differ, and leaves no file', async () => {
    const archive = startArchive();
    const tenant = newTenant();
    await archive.write(tenant, recordsOfDay(3));
    await writeRecord(tenant, testRecord(MARCH + 30 * 60_000, 99), CLOSING);

    await archive.close(tenant);

    expect(await archive.directory.read(tenant.tenant_id, DAY)).toBeNull();
    expect(keysOf(archive)).toEqual([]);
  });

  it('is repeated after a late event, and replaces the files', async () => {
    const archive = startArchive();
    const tenant = newTenant();
    await archive.write(tenant, recordsOfDay(3));
    await archive.close(tenant);
    const before = await archive.manifest(tenant);
    await archive.write(tenant, [testRecord(MARCH + 30 * 60_000, 99)]);

    await archive.close(tenant);

    const after = await archive.manifest(tenant);
    expect(after?.totals.records).toBe(4);
    for (const { key } of before?.files ?? []) expect(archive.bucket.stored.has(key)).toBe(false);
  });

  it('completes after a failure of any call of the bucket, before or after it takes effect', async () => {
    const archive = startArchive({ fileRows: 2 });
    const tenant = newTenant();
    await archive.write(tenant, recordsOfDay(3));
    await archive.close(tenant);
    archive.bucket.arm(undefined);
    await archive.close(tenant);
    const calls = archive.bucket.calls();
    for (let call = 0; call < calls; call += 1) {
      for (const moment of ['before', 'after'] as const) {
        const before = await archive.manifest(tenant);
        archive.bucket.arm({ call, moment });
        await archive.run(archive.archiveJob(tenant), true);
        const manifest = await archive.manifest(tenant);
        expect(manifest?.files).not.toEqual(before?.files);
        expect(manifest?.totals).toEqual(before?.totals);
        for (const { key } of manifest?.files ?? []) expect(archive.bucket.stored.has(key)).toBe(true);
      }
    }
  });

  it('publishes one consistent set of files when two jobs of a day run their steps in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 8, maxLength: 12 }), async (order) => {
        const archive = startArchive({ fileRows: 2 });
        const tenant = newTenant();
        await archive.write(tenant, recordsOfDay(4));
        const jobs = [archive.archiveJob(tenant), archive.archiveJob(tenant)];
        const done = new Set<number>();
        const step = archive.stepper();
        for (const isSecond of [
          ...order,
          ...Array<boolean>(6).fill(false),
          ...Array<boolean>(6).fill(true),
        ]) {
          const which = Number(isSecond);
          const job = jobs[which];
          if (job === undefined || done.has(which)) continue;
          // A job whose files another one has deleted fails, and the schedule creates the next one.
          const result = await step(job).catch(() => ({ job, isDone: true }));
          jobs[which] = result.job;
          if (result.isDone) done.add(which);
        }
        const manifest = await archive.manifest(tenant);
        expect(manifest?.totals.records).toBe(4);
        for (const { key } of manifest?.files ?? []) expect(archive.bucket.stored.has(key)).toBe(true);
      }),
      { numRuns: 6 },
    );
  });

  it('never closes a day over a version that the totals count and the ledger has lost', async () => {
    const archive = startArchive();
    const tenant = newTenant();
    await archive.write(tenant, recordsOfDay(2));
    const blind = archive.stepper({
      ...archive.ledger,
      read: async (tenantId, range) => {
        const page = await archive.ledger.read(tenantId, range);
        return { ...page, versions: page.versions.slice(1) };
      },
    });
    let job = archive.archiveJob(tenant);
    for (let isDone = false; !isDone; ) ({ job, isDone } = await blind(job));
    expect(await archive.manifest(tenant)).toBeNull();
  });
});
