import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeleteRows } from '../../functions/archive/closing/trimDay.ts';
import { rowDeleter } from '../../functions/archive/closing/trimDay.ts';
import { coldUntil, HOT_MS } from '../../functions/archive/hotDays.ts';
import { archivedRecordVersions } from '../../functions/archive/reading/archivedRecords.ts';
import { reviser } from '../../functions/attribution/revise.ts';
import { recordPartitionOf } from '../../functions/ledger/ledgerKey.ts';
import { recordVersionStore } from '../../functions/ledger/recordVersion.store.ts';
import { DAY_MS, HOUR_MS } from '../../functions/shared/time/durations.ts';
import { toIso } from '../../functions/shared/time/toIso.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { neverRaised } from '../attribution/neverRaised.ts';
import {
  newTenant,
  type TestRecord,
  testRecord,
  ulidOfRecord,
  writeRecord,
  writeVersion,
} from '../ledger/ledgerFixture.ts';
import { minuteOf } from '../rollups/rollupFixture.ts';
import { type LiveTables, startTables } from '../support/tables.ts';
import { CLOSING, DAY, MARCH, recordsOfDay, startArchive } from './archiveFixture.ts';
import { answersOf, versionsOf } from './ledgerAnswers.ts';

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

/** When the rows of the day are deleted. */
const TRIMMING = MARCH + 2 * DAY_MS + HOT_MS;

type Archive = ReturnType<typeof startArchive>;

const rowCount = async (archive: Archive, tenant: Tenant): Promise<number> =>
  (await versionsOf(archive.rows, tenant, 1_000)).length;

/** An archive at a time that the test sets, with records of which the first has two versions. */
const startScene = async (options: Parameters<typeof startArchive>[0] = {}) => {
  let now = CLOSING;
  const archive = startArchive({ ...options, now: () => now });
  const tenant = newTenant();
  const records = recordsOfDay(7, [0, 2]);
  await archive.write(tenant, records);
  const [corrected] = records;
  if (corrected === undefined) throw new Error('no record');
  await writeVersion(live.client, tenant, corrected, 2, MARCH + 30 * HOUR_MS);
  await archive.compute(tenant, [minuteOf(corrected.occurredAt)]);
  const revise = reviser(
    archivedRecordVersions(
      recordVersionStore('ledger', () => now),
      archive.archived,
      () => now,
    ),
    () => now,
    neverRaised,
  );
  return {
    archive,
    tenant,
    records,
    corrected,
    before: await answersOf(archive.rows, tenant, records),
    at: (time: number) => {
      now = time;
    },
    /** Sets the owner of a record, as a correction does. */
    correct: (record: TestRecord, owner: string) =>
      revise(tenant, ulidOfRecord(tenant, record), { claim: randomUUID(), attempt: 1 }, (found, at) => {
        if (found.record.owner === owner) return null;
        const version = found.record.version + 1;
        return { ...found, record: { ...found.record, owner, version, as_of: toIso(at) } };
      }),
  };
};

describe('rows of a closed day', () => {
  it('stay in the table for 45 days, and then every read gives the same answer from the files', async () => {
    const { archive, tenant, records, before, at } = await startScene({ fileRows: 3 });
    at(TRIMMING - 1);
    await archive.close(tenant);
    expect(await rowCount(archive, tenant)).toBe(8);
    expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);

    at(TRIMMING);
    await archive.close(tenant);

    expect(await rowCount(archive, tenant)).toBe(0);
    expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);
    expect((await archive.directory.read(tenant.tenant_id, DAY))?.document.trim_at).toBeNull();
  });

  it('are not deleted while the day has no files', async () => {
    const { archive, tenant, at } = await startScene();
    await writeRecord(tenant, testRecord(MARCH + HOUR_MS, 99), CLOSING);
    at(TRIMMING);

    await archive.close(tenant);

    expect(await archive.directory.read(tenant.tenant_id, DAY)).toBeNull();
    expect(await rowCount(archive, tenant)).toBe(9);
  });

  it('stay when they are in no file, or started less than 45 days ago', async () => {
    const { archive, tenant, records, corrected, at, correct } = await startScene();
    await archive.close(tenant);
    at(TRIMMING - DAY_MS);
    await correct(corrected, 'late');
    await archive.compute(tenant, [minuteOf(corrected.occurredAt)]);
    const late = testRecord(MARCH + HOUR_MS, 99);
    await archive.close(tenant);
    await writeRecord(tenant, late, MARCH + HOUR_MS + 1_000);
    const before = await answersOf(archive.rows, tenant, [...records, late]);
    at(TRIMMING);

    await archive.close(tenant);

    const left = await versionsOf(archive.rows, tenant, 1_000);
    expect(left.map(({ attribution }) => [attribution.record.event_id, attribution.record.version])).toEqual(
      expect.arrayContaining([
        [corrected.eventId, 3],
        [late.eventId, 1],
      ]),
    );
    expect(left).toHaveLength(2);
    expect(await answersOf(archive.ledger, tenant, [...records, late])).toEqual(before);

    await archive.compute(tenant, [minuteOf(late.occurredAt)]);
    await archive.close(tenant);
    at(TRIMMING + HOT_MS);
    await archive.close(tenant);
    expect(await rowCount(archive, tenant)).toBe(0);
    expect(await answersOf(archive.ledger, tenant, [...records, late])).toEqual(before);
  });

  it('are read and deleted again after a failure of any call of the table or the bucket', async () => {
    let failing = Number.POSITIVE_INFINITY;
    let calls = 0;
    const deleteRows: DeleteRows = async (partition, keys) => {
      calls += 1;
      // A part of a batch was deleted when the function was killed.
      await rowDeleter('ledger')(partition, calls === failing ? keys.slice(1) : keys);
      if (calls === failing) throw new Error('the function was killed');
    };
    for (const target of ['table', 'bucket'] as const) {
      for (let call = 1; ; call += 1) {
        const { archive, tenant, records, before, at } = await startScene({
          fileRows: 3,
          trimRows: 2,
          deleteRows,
        });
        await archive.close(tenant);
        at(TRIMMING);
        [calls, failing] = [0, target === 'table' ? call : Number.POSITIVE_INFINITY];
        if (target === 'bucket') archive.bucket.arm({ call: call - 1, moment: 'after' });
        const first = archive.archiveJob(tenant);
        const job = await archive.runUntilFailure(first);
        const done = job === null;
        archive.bucket.arm(undefined);
        expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);
        if (!done) await archive.run(job);

        expect(await rowCount(archive, tenant)).toBe(0);
        expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);
        if (done) break;
      }
    }
  });
});

describe('a record whose rows have left the table', () => {
  it('is corrected: its version ends where the next one starts, and the day is written again with both', async () => {
    const { archive, tenant, records, corrected, at, correct } = await startScene({ fileRows: 3 });
    at(TRIMMING);
    await archive.close(tenant);
    await archive.close(tenant);
    expect(await rowCount(archive, tenant)).toBe(0);

    expect(await correct(corrected, 'team-ranking')).toBe('revised');
    expect(await correct(corrected, 'team-ranking')).toBe('unchanged');

    const ulid = ulidOfRecord(tenant, corrected);
    const expectCorrected = async (limit: number, descending: boolean) => {
      const versions = await versionsOf(archive.ledger, tenant, limit, descending);
      const own = versions
        .filter(({ key }) => key.startsWith(ulid))
        .toSorted((one, other) => one.validity.version - other.validity.version);
      expect(own.map(({ validity }) => validity.version)).toEqual([1, 2, 3]);
      if (descending) return;
      expect(own.map(({ validity }) => validity.to)).toEqual([
        own[1]?.validity.from,
        own[2]?.validity.from,
        null,
      ]);
    };
    for (const limit of [1, 2, 1_000]) await expectCorrected(limit, false);
    await expectCorrected(1, true);
    const newest = await archive.ledger.newest(tenant.tenant_id, recordPartitionOf(tenant, ulid), ulid);
    expect(newest?.record).toMatchObject({ owner: 'team-ranking', version: 3 });

    await archive.compute(tenant, [minuteOf(corrected.occurredAt)]);
    await archive.close(tenant);
    expect((await archive.manifest(tenant))?.totals).toMatchObject({ versions: 9, records: records.length });
    for (const limit of [1, 1_000]) await expectCorrected(limit, false);
  });

  it('is cold, so that a repeated event finds it', async () => {
    const { archive, tenant, corrected, at } = await startScene();
    at(TRIMMING);
    await archive.close(tenant);

    expect(corrected.occurredAt).toBeLessThan(coldUntil(TRIMMING));
    expect(await archive.archived.has(tenant.tenant_id, ulidOfRecord(tenant, corrected))).toBe(true);
    expect(
      await archive.archived.has(tenant.tenant_id, ulidOfRecord(tenant, testRecord(MARCH + HOUR_MS, 99))),
    ).toBe(false);
  });
});
