import type { RollupGroup } from '../../../../schemas/ledger/rollup.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import type { Month } from '../../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { addContent, type Content, contentOf, noContent } from '../../records/content.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import { partitionsOfMonth } from '../../records/ledgerKey.ts';
import { scanPartition } from '../../records/query/scanRecords.ts';
import { hasBegun } from '../../records/query/visibility.ts';
import { startOf } from '../grain.ts';
import { countedGroups, type GroupingTags, sumGroups } from '../rollup.ts';

/** The sums of one minute of one ledger partition. */
export interface MinuteSum {
  readonly groups: readonly RollupGroup[];
  /** The versions of records that had begun, also those that another version replaced. */
  readonly content: Content;
}

/** The ledger partitions of a tenant's month that have records, strongly consistent. */
export const partitionsIn = async (
  ledger: Pick<LedgerReader, 'months'>,
  tenant: Pick<Tenant, 'tenant_id'>,
  month: Month,
): Promise<string[]> =>
  (await ledger.months(tenant.tenant_id))
    .filter((open) => open.month === month)
    .flatMap((open) => partitionsOfMonth(tenant, open));

/** The number of a ledger partition among those of its month. */
export const shardOf = (partition: string): number => Number(partition.slice(partition.lastIndexOf('#') + 1));

/** The time of the call of a version, from its key in the ledger. */
const timeOfVersion = (key: string): number => timeOfUlid(key.slice(0, key.lastIndexOf('#')));

/** The versions of one ledger partition in a period, by the start of the minute. Minutes without versions are left out. */
export const contentOfMinutes = async (
  ledger: Pick<LedgerReader, 'read'>,
  request: { readonly tenantId: string; readonly partition: string; readonly period: Interval },
): Promise<Map<number, Content>> => {
  const minutes = new Map<number, Content>();
  for await (const { versions } of scanPartition(ledger, { ...request, asOf: request.period.to })) {
    for (const { key, attribution } of versions) {
      const minute = startOf('minute', timeOfVersion(key));
      minutes.set(minute, addContent(minutes.get(minute) ?? noContent, contentOf(attribution)));
    }
  }
  return minutes;
};

/**
 * Sums the minutes of one ledger partition in a period, as of an instant, by the start of the minute. A pure function of the
 * ledger: it may be repeated at any time. Minutes without records are left out.
 */
export const sumMinutes = async (
  ledger: LedgerReader,
  request: {
    readonly tenantId: string;
    readonly partition: string;
    readonly period: Interval;
    readonly asOf: number;
    readonly tags: GroupingTags;
    /** Most pages to read. If the period has more, its sums are not whole. */
    readonly pages?: number | undefined;
  },
): Promise<{ readonly minutes: ReadonlyMap<number, MinuteSum>; readonly isWhole: boolean }> => {
  const { asOf, tags, pages = Number.POSITIVE_INFINITY } = request;
  const minutes = new Map<number, MinuteSum>();
  let read = 0;
  for await (const { items, versions, resume } of scanPartition(ledger, request)) {
    read += 1;
    if (read >= pages && resume !== null) return { minutes, isWhole: false };
    const begun = versions.filter(({ validity }) => hasBegun(validity, asOf));
    const counted = Map.groupBy(begun, ({ key }) => startOf('minute', timeOfVersion(key)));
    const selected = Map.groupBy(items, ({ key }) => startOf('minute', timeOfVersion(key)));
    for (const minute of new Set([...counted.keys(), ...selected.keys()])) {
      const sum = minutes.get(minute) ?? { groups: [], content: noContent };
      const records = (selected.get(minute) ?? []).map(({ attribution }) => attribution);
      const added = countedGroups(records, tags);
      minutes.set(minute, {
        groups: sumGroups([...sum.groups, ...added]),
        content: (counted.get(minute) ?? []).reduce(
          (content, { attribution }) => addContent(content, contentOf(attribution)),
          sum.content,
        ),
      });
    }
  }
  return { minutes, isWhole: true };
};
