import * as z from 'zod';
import type { Month } from '../../shared/month.ts';
import { ulidTime } from '../../shared/ulid.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { partitionsOfMonth } from '../ledgerKey.ts';
import { keyAfter, versionAsOfSelector } from './versionAsOf.ts';

/** Versions of one read; some 600 bytes each, so that a read of DynamoDB's 1 MB holds them. */
const PAGE_VERSIONS = 1_500;
/** Sorts behind every key with the same beginning. */
const LAST = '~';

export interface ScanRequest {
  readonly tenantId: string;
  readonly partition: string;
  /** Epoch milliseconds: `from` included, `to` not. */
  readonly period: { readonly from: number; readonly to: number };
  /** Where a scan before stopped; undefined at the start. */
  readonly after?: string | undefined;
  /** Which versions are seen, epoch milliseconds. */
  readonly asOf: number;
  readonly pageVersions?: number | undefined;
}

/** Some records of a partition, and where the others begin; null when there are none. */
export interface ScanPage {
  readonly items: readonly Version[];
  readonly resume: string | null;
}

/**
 * Every record of a partition in a period, once, in the version that held at `asOf`, by pages of one strongly consistent
 * read each. What is in no order but this costs least to read: a walk over several partitions in one order reads of each
 * what it then leaves.
 */
export async function* scanPartition(
  ledger: LedgerReader,
  request: ScanRequest,
): AsyncGenerator<ScanPage, void> {
  const { tenantId, partition, period, after, asOf, pageVersions: limit = PAGE_VERSIONS } = request;
  const selector = versionAsOfSelector(asOf, false);
  const to = `${ulidTime(period.to - 1)}${LAST}`;
  let from = after ?? ulidTime(period.from);
  let lastVersion: Version | undefined;
  for (;;) {
    const { versions, last } = await ledger.read(tenantId, { partition, from, to, descending: false, limit });
    const items = versions.flatMap((version) => selector.offer(version));
    if (last === null) {
      yield { items: [...items, ...selector.end()], resume: null };
      return;
    }
    lastVersion = versions.at(-1) ?? lastVersion;
    from = keyAfter(last, false);
    yield { items, resume: lastVersion === undefined ? from : selector.resume(lastVersion) };
  }
}

/** Where a scan of a month stands: the shard, and where in it, null for its beginning. */
export const ScanPosition = z.object({ shard: z.int(), after: z.string().nullable() });
export type ScanPosition = z.infer<typeof ScanPosition>;

/** Scans one partition of a month after the other, from a place on; `resume` is null when all are done. */
export async function* scanMonth(
  ledger: LedgerReader,
  request: Omit<ScanRequest, 'tenantId' | 'partition' | 'after'> & {
    readonly tenant: Pick<Tenant, 'tenant_id' | 'shards'>;
    readonly month: Month;
    readonly position: ScanPosition;
  },
): AsyncGenerator<{ readonly items: readonly Version[]; readonly resume: ScanPosition | null }, void> {
  const { tenant, month, position, ...range } = request;
  const partitions = partitionsOfMonth(tenant, month);
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
