import type { Dimensions, RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { setBounded } from '../../platform/shared/caches/boundedMap.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Month } from '../../platform/shared/time/month.ts';
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
const hashOf = ({
  output_state: _state,
  confidence_band: _band,
  owner_state: _owner,
  service_state: _service,
  ...limited
}: Dimensions): string =>
  sha256Of('group', JSON.stringify(Object.values(limited)))
    .subarray(0, 12)
    .toString('base64url');

interface Candidate {
  readonly under: Dimensions;
  /** Number of groups up to which it may be new. */
  readonly limit: number;
}

/** The dimensions without the values of cost allocation tags. */
const withoutTagValues = (dimensions: Dimensions): Dimensions => ({
  ...dimensions,
  cost_allocation_tags: Object.fromEntries(
    Object.entries(dimensions.cost_allocation_tags).map(([key, value]) => [
      key,
      value === null ? null : OTHER,
    ]),
  ),
});

const hasTagValue = ({ cost_allocation_tags: tags }: Dimensions): boolean =>
  Object.values(tags).some((value) => value !== null && value !== OTHER);

/**
 * The groups that a group can be counted under, most specific first. Groups with values of tags fill at most half of the
 * capacity, so a tag with a value for each call takes no owner or service its own sum.
 */
const candidatesOf = (dimensions: Dimensions, capacity: number): Candidate[] => {
  const untagged = withoutTagValues(dimensions);
  return [
    ...(hasTagValue(dimensions) ? [{ under: dimensions, limit: Math.floor(capacity / 2) }] : []),
    { under: untagged, limit: capacity },
    { under: { ...untagged, service: OTHER }, limit: capacity + OTHERS_MAXIMUM },
    { under: { ...untagged, service: OTHER, owner: OTHER }, limit: capacity + 2 * OTHERS_MAXIMUM },
  ];
};

/** Always possible: pathways, lanes, tags that budgets name and keys of tags are few. */
const lastResort = (dimensions: Dimensions): Dimensions => ({
  ...withoutTagValues(dimensions),
  owner: OTHER,
  service: OTHER,
  provider: OTHER,
  served_model: OTHER,
  region: dimensions.region === null ? null : OTHER,
});

/** The groups that a group can be counted under, whatever the limit is, most specific first. */
export const groupsCountedUnder = (dimensions: Dimensions): readonly Dimensions[] => [
  ...candidatesOf(dimensions, 0).map(({ under }) => under),
  lastResort(dimensions),
];

/**
 * Returns a function that limits the number of a tenant's groups in a month. The groups of a month are a list that only
 * grows, in the order in which they were first seen. Beyond the limit a new group is counted under "(other)" for the whole
 * month. So no group is half in, a minute that is summed again has the same groups, and the sum over all groups is exact.
 */
export const groupLimiter = (directory: GroupDirectory, capacity = GROUPS_MAXIMUM) => {
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
        for (const { under, limit } of candidatesOf(group.dimensions, capacity)) {
          const counted = { dimensions: under, figures: group.figures };
          if (isKnown(under) || added.has(hashOf(under))) return { group: counted, added: null };
          if (size < limit) {
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
