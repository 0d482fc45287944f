import * as z from 'zod';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import type { Month } from '../../../platform/shared/time/month.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { partitionsOfMonth } from '../ledgerKey.ts';
import { keyAfter, versionAsOfSelector } from './versionAsOf.ts';

/**
 * Versions per read. A decoded version takes 12 kB of memory, and those of a page live together. With pages of 1,500, the
 * garbage collector copied them all and took more than a third of the CPU time of a sum.
 */
export const PAGE_VERSIONS = 250;
/** Sorts after every key with the same prefix. */
const LAST = '~';

export interface ScanRequest {
  readonly tenantId: string;
  readonly partition: string;
  /** Epoch milliseconds: `from` included, `to` excluded. */
  readonly period: Interval;
  /** The `resume` key of an earlier scan; undefined at the start. */
  readonly after?: string | undefined;
  /** Versions are selected as of this instant, epoch milliseconds. */
  readonly asOf: number;
  readonly pageVersions?: number | undefined;
}

/** One page of a partition. `resume` is the key of the next page; null after the last page. */
export interface ScanPage {
  readonly items: readonly Version[];
  /** All versions that were read, also those that are not selected. */
  readonly versions: readonly Version[];
  readonly resume: string | null;
}

/**
 * Yields every record of a partition in a period once, in the version that was valid at `asOf`. Each page is one strongly
 * consistent read. Use it where the order over partitions does not matter: merging partitions reads versions that it
 * then discards.
 */
export async function* scanPartition(
  ledger: Pick<LedgerReader, 'read'>,
  request: ScanRequest,
): AsyncGenerator<ScanPage, void> {
  const { tenantId, partition, period, after, asOf, pageVersions: limit = PAGE_VERSIONS } = request;
  const selector = versionAsOfSelector(asOf, false);
  const to = `${ulidTime(period.to - 1)}${LAST}`;
  let from = after ?? ulidTime(period.from);
  let lastVersion: Version | undefined;
  for (;;) {
    const { versions, last } = await ledger.read(tenantId, { partition, from, to, descending: false, limit });
    const items = versions.flatMap((version) => selector.add(version));
    if (last === null) {
      yield { items: [...items, ...selector.end()], versions, resume: null };
      return;
    }
    lastVersion = versions.at(-1) ?? lastVersion;
    from = keyAfter(last, false);
    yield { items, versions, resume: lastVersion === undefined ? from : selector.resume(lastVersion) };
  }
}

/** Progress of a scan of a month: the shard, and the resume key within it (null at the start of the shard). */
export const ScanPosition = z.object({ shard: z.int(), after: z.string().nullable() });
export type ScanPosition = z.infer<typeof ScanPosition>;

/**
 * Scans the partitions of a month one after the other, starting at `position`. `resume` is null after the last page. A shard
 * that is added during the scan holds newer records only, and comes last.
 */
export async function* scanMonth(
  ledger: LedgerReader,
  request: Omit<ScanRequest, 'tenantId' | 'partition' | 'after'> & {
    readonly tenant: Pick<Tenant, 'tenant_id'>;
    readonly month: Month;
    readonly position: ScanPosition;
  },
): AsyncGenerator<{ readonly items: readonly Version[]; readonly resume: ScanPosition | null }, void> {
  const { tenant, month, position, ...range } = request;
  const months = await ledger.months(tenant.tenant_id);
  const partitions = months
    .filter((open) => open.month === month)
    .flatMap((open) => partitionsOfMonth(tenant, open));
  if (partitions.length === 0) yield { items: [], resume: null };
  for (const [shard, partition] of partitions.entries()) {
    if (shard < position.shard) continue;
    const after = shard === position.shard ? (position.after ?? undefined) : undefined;
    const pages = scanPartition(ledger, { ...range, tenantId: tenant.tenant_id, partition, after });
    for await (const { items, resume } of pages) {
      const next = shard + 1 < partitions.length ? { shard: shard + 1, after: null } : null;
      yield { items, resume: resume === null ? next : { shard, after: resume } };
    }
  }
}
