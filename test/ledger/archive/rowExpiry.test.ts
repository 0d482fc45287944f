import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { reviser } from '../../../functions/attribution/engine/revise.ts';
import {
  type ExtendExpiry,
  expiryExtender,
} from '../../../functions/ledger/archive/closing/rowExpiry.store.ts';
import { coldUntil } from '../../../functions/ledger/archive/hotDays.ts';
import { archivedRecordVersions } from '../../../functions/ledger/archive/reading/archivedRecords.ts';
import { ROW_MILLISECONDS } from '../../../functions/ledger/records/ledgerItem.ts';
import { recordPartitionOf, versionKeyOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { toIso } from '../../../functions/platform/shared/time/toIso.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { neverRaised } from '../../attribution/engine/neverRaised.ts';
import { startTables } from '../../support/tables.ts';
import {
  newTenant,
  type TestRecord,
  testRecord,
  ulidOfRecord,
  writeRecord,
  writeVersion,
} from '../records/ledgerFixture.ts';
import { minuteOf } from '../rollups/rollupFixture.ts';
import { CLOSING, DAY, MARCH, recordsOfDay, startArchive } from './archiveFixture.ts';
import { expireRows } from './expireRows.ts';
import { answersOf, versionsOf } from './ledgerAnswers.ts';

const live = await startTables();
afterAll(() => live.stop());

/** When all rows of the day have expired. The last one was written on the day after. */
const EXPIRY = MARCH + 2 * DAY_MS + ROW_MILLISECONDS;

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
    expire: () => expireRows(live.client, tenant, now),
    /** Sets the owner of a record, as a correction does. */
    correct: (record: TestRecord, owner: string) =>
      revise(tenant, ulidOfRecord(tenant, record), { claim: randomUUID(), attempt: 1 }, (found, startsAt) => {
        if (found.record.owner === owner) return null;
        const version = found.record.version + 1;
        return { ...found, record: { ...found.record, owner, version, as_of: toIso(startsAt()) } };
      }),
  };
};

describe('rows of a closed day', () => {
  it('leave the table after 56 days, and then every read gives the same answer from the files', async () => {
    const { archive, tenant, records, before, at, expire } = await startScene({ fileRows: 3 });
    await archive.close(tenant);
    at(EXPIRY - 3 * DAY_MS);
    await expire();
    expect(await rowCount(archive, tenant)).toBe(8);
    expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);

    at(EXPIRY);
    await expire();

    expect(await rowCount(archive, tenant)).toBe(0);
    expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);
  });

  it('are found before and after they expired, when DynamoDB deletes them later', async () => {
    const { archive, tenant, records, before, at } = await startScene();
    await archive.close(tenant);
    at(EXPIRY + 2 * DAY_MS);
    expect(await rowCount(archive, tenant)).toBe(8);
    expect(await answersOf(archive.ledger, tenant, records)).toEqual(before);
  });
});

describe('rows that are in no file', () => {
  it('stay as long as the day cannot be closed, and leave the table after it is', async () => {
    const { archive, tenant, records, at, expire } = await startScene({ keepRows: 3 });
    // The totals lack this record, so the files are never equal to them.
    const uncounted = testRecord(MARCH + HOUR_MS, 99);
    await writeRecord(tenant, uncounted, CLOSING);
    const all = [...records, uncounted];
    const before = await answersOf(archive.rows, tenant, all);

    for (let night = CLOSING; night <= EXPIRY + 2 * ROW_MILLISECONDS; night += 8 * DAY_MS) {
      at(night);
      await archive.close(tenant);
      await expire();
    }
    expect(await archive.directory.read(tenant.tenant_id, DAY)).toBeNull();
    expect(await answersOf(archive.rows, tenant, all)).toEqual(before);

    await archive.compute(tenant, [minuteOf(uncounted.occurredAt)]);
    await archive.close(tenant);
    at(EXPIRY + 4 * ROW_MILLISECONDS);
    await expire();
    expect(await rowCount(archive, tenant)).toBe(0);
    expect(await answersOf(archive.ledger, tenant, all)).toEqual(before);
  });

  it('are the only ones that stay: corrections and late calls of a closed day', async () => {
    const { archive, tenant, records, corrected, at, correct, expire } = await startScene();
    await archive.close(tenant);
    at(EXPIRY - 20 * DAY_MS);
    await correct(corrected, 'late');
    const late = testRecord(MARCH + HOUR_MS, 99);
    await writeRecord(tenant, late, EXPIRY - 20 * DAY_MS);
    const before = await answersOf(archive.rows, tenant, [...records, late]);
    // The totals lack the late call, so the day is not written again.
    for (const day of [-1, 30, 50]) {
      at(EXPIRY + day * DAY_MS);
      await archive.close(tenant);
      await expire();
    }

    const left = await versionsOf(archive.rows, tenant, 1_000);
    expect(left.map(({ attribution }) => [attribution.record.event_id, attribution.record.version])).toEqual(
      expect.arrayContaining([
        [corrected.eventId, 3],
        [late.eventId, 1],
      ]),
    );
    expect(left).toHaveLength(2);
    // A descending page of one version does not hold the next version, which says when a version in a file ended.
    const { descending: _, ...others } = await answersOf(archive.ledger, tenant, [...records, late]);
    expect(before).toMatchObject(others);
  });

  it('stay after a failure of any call', async () => {
    let failing = Number.POSITIVE_INFINITY;
    let calls = 0;
    const extendExpiry: ExtendExpiry = async (partition, keys, until) => {
      calls += 1;
      // A part of the rows was kept when the function was killed.
      await expiryExtender('ledger')(partition, calls === failing ? keys.slice(1) : keys, until);
      if (calls === failing) throw new Error('the function was killed');
    };
    for (failing = 1; ; failing += 1) {
      const { archive, tenant, records, before, at, expire } = await startScene({
        keepRows: 2,
        extendExpiry,
      });
      at(EXPIRY - DAY_MS);
      calls = 0;
      const job = await archive.runUntilFailure(archive.archiveJob(tenant));
      const isDone = job === null;
      if (!isDone) await archive.run(job);
      at(EXPIRY);
      await expire();

      expect(await answersOf(archive.rows, tenant, records)).toEqual(before);
      if (isDone) break;
    }
    expect(failing).toBeGreaterThan(1);
  });

  it('do not come back when they are deleted while they are kept', async () => {
    const { archive, tenant, corrected, at } = await startScene();
    const ulid = ulidOfRecord(tenant, corrected);
    at(EXPIRY);
    await expireRows(live.client, tenant, EXPIRY);
    await expiryExtender('ledger')(recordPartitionOf(tenant, ulid), [versionKeyOf(ulid, 1)], EXPIRY);
    expect(await rowCount(archive, tenant)).toBe(0);
  });
});

describe('a day without records', () => {
  it('is closed without rows, so that it is not examined again', async () => {
    const { archive, tenant, at } = await startScene();
    at(EXPIRY);
    await archive.close(tenant, '2026-03-20');
    expect((await archive.directory.read(tenant.tenant_id, '2026-03-20'))?.document.versions).toBe(0);
  });
});

describe('a record whose rows have left the table', () => {
  it('is corrected: its version ends where the next one starts, and the day is written again with both', async () => {
    const { archive, tenant, records, corrected, at, correct, expire } = await startScene({ fileRows: 3 });
    await archive.close(tenant);
    at(EXPIRY);
    await expire();
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
    const { archive, tenant, corrected, at, expire } = await startScene();
    await archive.close(tenant);
    at(EXPIRY);
    await expire();

    expect(corrected.occurredAt).toBeLessThan(coldUntil(EXPIRY));
    expect(await archive.archived.has(tenant.tenant_id, ulidOfRecord(tenant, corrected))).toBe(true);
    expect(
      await archive.archived.has(tenant.tenant_id, ulidOfRecord(tenant, testRecord(MARCH + HOUR_MS, 99))),
    ).toBe(false);
  });
});
