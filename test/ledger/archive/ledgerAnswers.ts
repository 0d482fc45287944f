import type { LedgerReader, Version } from '../../../functions/ledger/records/ledger.store.ts';
import { partitionsOfMonth, recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { keyAfter } from '../../../functions/ledger/records/query/versionAsOf.ts';
import { startOfMonth, startOfNextMonth } from '../../../functions/platform/shared/time/month.ts';
import { ulidTime } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type TestRecord, ulidOfRecord } from '../records/ledgerFixture.ts';

/** Without the time of the read, which differs. */
const readable = ({ key, validity: { readAt: _readAt, ...validity }, attribution }: Version) => ({
  key,
  validity,
  attribution,
});

/** All versions of the tenant in the order of their keys, read in pages of a size. */
export const versionsOf = async (reader: LedgerReader, tenant: Tenant, limit: number, descending = false) => {
  const found: ReturnType<typeof readable>[] = [];
  const months = await reader.months(tenant.tenant_id);
  const partitions = months.flatMap((one) =>
    partitionsOfMonth(tenant, one).map((partition) => ({ partition, month: one.month })),
  );
  for (const { partition, month } of partitions) {
    const first = ulidTime(startOfMonth(month));
    const end = `${ulidTime(startOfNextMonth(month) - 1)}~`;
    let bound: string | null = descending ? end : first;
    while (bound !== null) {
      const range = descending ? { from: first, to: bound } : { from: bound, to: end };
      const page = await reader.read(tenant.tenant_id, { partition, ...range, descending, limit });
      found.push(...page.versions.map(readable));
      bound = page.last === null ? null : keyAfter(page.last, descending);
    }
  }
  return found;
};

/** Every kind of read of the tenant's records. */
export const answersOf = async (reader: LedgerReader, tenant: Tenant, records: readonly TestRecord[]) => ({
  ascending: await versionsOf(reader, tenant, 1_000),
  inSmallPages: await versionsOf(reader, tenant, 2),
  descending: await versionsOf(reader, tenant, 1, true),
  newest: await Promise.all(
    records.map((record) => {
      const ulid = ulidOfRecord(tenant, record);
      return reader.newest(tenant.tenant_id, recordPartitionOf(tenant, ulid), ulid);
    }),
  ),
});
