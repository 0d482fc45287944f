import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { RETENTION_MILLISECONDS } from '../../../functions/ledger/records/ledgerItem.ts';
import { partitionsOfMonth, recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordUlid } from '../../../functions/platform/shared/ids.ts';
import { timeOfUlid } from '../../../functions/platform/shared/ulid.ts';
import { startTables } from '../../support/tables.ts';
import {
  countingReader,
  eventIdOf,
  eventsOf,
  listAllPages,
  newTenant,
  testRecord,
  ulidOfRecord,
  writeRecord,
  writeVersion,
} from './ledgerFixture.ts';

const JANUARY = Date.parse('2026-01-01');
/** Start time of the listings: after the time of every record. */
const START = Date.parse('2026-07-01');
const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };

const reader = ledgerReader('ledger', () => START);

const live = await startTables();
afterAll(() => live.stop());

describe('listRecords', () => {
  it('continues after the last returned record was deleted', async () => {
    const tenant = newTenant();
    const rows = Array.from({ length: 9 }, (_, index) => testRecord(JANUARY + index, index, [1]));
    for (const row of rows) await writeRecord(tenant, row, START);

    const found = await listAllPages(reader, {
      tenant,
      period: ALWAYS,
      descending: false,
      size: 2,
      asOf: START,
      between: async (page) => {
        const last = page.at(-1);
        const row = rows.find((one) => one.eventId === last?.attribution.record.event_id);
        if (last === undefined || row === undefined) return;
        const partition = recordPartitionOf(tenant, ulidOfRecord(tenant, row));
        const Key = { pk: { S: partition }, sk: { S: last.key } };
        await live.client.send(new DeleteItemCommand({ TableName: 'ledger', Key }));
      },
    });

    expect(eventsOf(found)).toEqual(rows.map((row) => row.eventId));
  });

  it('skips expired records that the table still holds', async () => {
    const tenant = newTenant();
    const expired = Array.from({ length: 12 }, (_, index) => testRecord(JANUARY + index, index, [1]));
    const current = Array.from({ length: 3 }, (_, index) => testRecord(JANUARY + 20 + index, 20 + index));
    for (const row of expired) await writeRecord(tenant, row, JANUARY);
    for (const row of current) await writeRecord(tenant, row, START);

    const found = await listAllPages(
      ledgerReader('ledger', () => JANUARY + RETENTION_MILLISECONDS + 1_000),
      {
        tenant,
        period: ALWAYS,
        descending: false,
        size: 2,
        asOf: START,
      },
    );

    expect(eventsOf(found)).toEqual(current.map((row) => row.eventId));
  });

  it('returns nothing, with one read, for a tenant without records', async () => {
    const counter = countingReader(reader);

    const options = { tenant: newTenant(), period: ALWAYS, descending: true, size: 5, asOf: START };
    const found = await listAllPages(counter.reader, options);

    expect(found).toEqual([]);
    expect(counter.take()).toMatchObject({ listed: 1, reads: 0 });
  });

  it('reads the same amount for a page of a full and of a nearly empty month', async () => {
    const [small, large] = [newTenant(), newTenant()];
    for (const row of [testRecord(JANUARY, 0), testRecord(JANUARY + 1, 1)])
      await writeRecord(small, row, START);
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        writeRecord(large, testRecord(JANUARY + index, index), START),
      ),
    );

    const counts: unknown[] = [];
    for (const tenant of [small, large]) {
      const counter = countingReader(reader);
      const between = async () => {
        counts.push(counter.take());
        throw new Error('one page is enough');
      };
      const options = { tenant, period: ALWAYS, descending: true, size: 1, asOf: START, between };
      await expect(listAllPages(counter.reader, options)).rejects.toThrow('one page');
    }

    expect(counts[1]).toEqual(counts[0]);
  });

  it('lists the newest months of a tenant with more than 100 months', async () => {
    const tenant = newTenant();
    const months = Array.from({ length: 103 }, (_, index) => Date.UTC(2018, index));
    for (const [index, at] of months.entries()) await writeRecord(tenant, testRecord(at, index), START);

    const options = { tenant, period: ALWAYS, descending: true, size: 7, asOf: START };
    const found = await listAllPages(reader, options);

    const newest = months.toReversed().slice(0, 25);
    expect(found.slice(0, 25).map(({ key }) => timeOfUlid(key))).toEqual(newest);
  });
});

describe('newest', () => {
  it('returns the newest version of a record', async () => {
    const tenant = newTenant();
    const row = testRecord(JANUARY, 1);
    const ulid = recordUlid(tenant.tenant_id, row.eventId, row.occurredAt);
    await writeRecord(tenant, row, START);
    await writeRecord(tenant, testRecord(JANUARY, 2), START);
    for (const version of [2, 3]) await writeVersion(live.client, tenant, row, version, START + version);

    const newest = await reader.newest(tenant.tenant_id, recordPartitionOf(tenant, ulid), ulid);

    expect(newest?.record).toMatchObject({ event_id: row.eventId, version: 3 });
  });

  it('returns null for a missing record between others', async () => {
    const tenant = newTenant();
    for (const index of [1, 3]) await writeRecord(tenant, testRecord(JANUARY + index, index), START);
    const ulid = recordUlid(tenant.tenant_id, eventIdOf(2), JANUARY + 2);
    const [partition = ''] = partitionsOfMonth(tenant, { month: '2026-01', shards: 1 });

    expect(await reader.newest(tenant.tenant_id, partition, ulid)).toBeNull();
  });
});
