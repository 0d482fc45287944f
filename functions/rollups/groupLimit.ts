import type { Dimensions, RollupGroup } from '../../schemas/rollup.ts';
import { setBounded } from '../shared/boundedMap.ts';
import { sha256Of } from '../shared/hash.ts';
import type { Month } from '../shared/time/month.ts';
import type { GroupDirectory } from './groupDirectory.store.ts';
import { sumGroups } from './rollup.ts';

/** Most groups of a tenant in a month that keep their own sums. */
export const GROUPS_MAXIMUM = 10_000;
/** Further groups for the sums of the others: by owner first, then without owner. */
const OTHERS_MAXIMUM = 1_000;
/** The label of sums over groups beyond the limit. */
export const OTHER = '(other)';
/** Months whose groups are cached, over all tenants. */
const CAPACITY = 100;

/** 96 bits: no two groups of a month share a hash by chance. States and bands are few, so they are not limited. */
const hashOf = ({ output_state: _state, confidence_band: _band, ...limited }: Dimensions): string =>
  sha256Of('group', JSON.stringify(Object.values(limited)))
    .subarray(0, 12)
    .toString('base64url');

/** The groups that a group can be counted under, most specific first, each with the limit up to which it may be new. */
const candidatesOf = (dimensions: Dimensions): { readonly under: Dimensions; readonly limit: number }[] => [
  { under: dimensions, limit: GROUPS_MAXIMUM },
  { under: { ...dimensions, service: OTHER }, limit: GROUPS_MAXIMUM + OTHERS_MAXIMUM },
  { under: { ...dimensions, service: OTHER, owner: OTHER }, limit: GROUPS_MAXIMUM + 2 * OTHERS_MAXIMUM },
];

/** Always possible: pathways, lanes and watched tags are few. */
const lastResort = (dimensions: Dimensions): Dimensions => ({
  ...dimensions,
  owner: OTHER,
  service: OTHER,
  provider: OTHER,
  served_model: OTHER,
});

/**
 * Returns a function that limits the number of a tenant's groups in a month. The groups of a month are a list that only
 * grows, in the order in which they were first seen. Beyond the limit a new group is counted under "(other)" for the whole
 * month. So no group is half in, a minute that is summed again has the same groups, and the sum over all groups is exact.
 */
export const groupLimiter = (directory: GroupDirectory, capacity = GROUPS_MAXIMUM) => {
  const offset = GROUPS_MAXIMUM - capacity;
  const knownByMonth = new Map<string, ReadonlySet<string>>();

  return async (tenantId: string, month: Month, groups: readonly RollupGroup[]): Promise<RollupGroup[]> => {
    const key = `${tenantId} ${month}`;
    let known = knownByMonth.get(key) ?? new Set<string>();
    const isKnown = (dimensions: Dimensions): boolean => known.has(hashOf(dimensions));
    if (groups.every(({ dimensions }) => isKnown(dimensions))) return [...groups];

    const remember = (hashes: ReadonlySet<string>): void => {
      known = hashes;
      setBounded(knownByMonth, key, hashes, CAPACITY);
    };
    remember(await directory.read(tenantId, month));
    /** The group that each group is counted under, or null when a new one must be added first. */
    const assign = (): { readonly group: RollupGroup; readonly added: Dimensions | null }[] => {
      let size = known.size;
      const added = new Set<string>();
      return groups.map((group) => {
        for (const { under, limit } of candidatesOf(group.dimensions)) {
          const counted = { dimensions: under, figures: group.figures };
          if (isKnown(under) || added.has(hashOf(under))) return { group: counted, added: null };
          if (size < limit - offset) {
            size += 1;
            added.add(hashOf(under));
            return { group: counted, added: under };
          }
        }
        return { group: { dimensions: lastResort(group.dimensions), figures: group.figures }, added: null };
      });
    };
    for (;;) {
      const assigned = assign();
      const added = assigned.flatMap((one) => (one.added === null ? [] : [hashOf(one.added)]));
      // Another writer may have added groups in between, so what is new is decided again.
      if (added.length === 0 || (await directory.append(tenantId, month, known, added))) {
        remember(new Set([...known, ...added]));
        return sumGroups(assigned.map(({ group }) => group));
      }
      remember(await directory.read(tenantId, month));
    }
  };
};
export type LimitGroups = ReturnType<typeof groupLimiter>;
