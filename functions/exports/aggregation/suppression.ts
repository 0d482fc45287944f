import * as z from 'zod';
import { COHORT_MINIMUM } from '../../../schemas/reports.ts';
import { LineKey } from '../focus/line.ts';
import type { Grain } from '../focus/recordLines.ts';
import { type Cohort, type Group, groupText, mergePersonHashes } from './cohort.ts';
import { StoredFixedPoint } from './fixedPoint.ts';

export type Rollup = Exclude<LineKey['rollup'], null>;

/** Which groups come in a parent; those not named come as themselves. */
export interface Suppression {
  readonly rollups: ReadonlyMap<string, Rollup>;
  /** Owners that are shown. */
  readonly owners: ReadonlySet<string>;
  readonly groups: number;
  /** Picos of a USD. */
  readonly cost: bigint;
}

/** Groups that are shown as one: at first each by itself. */
interface Node {
  readonly members: readonly Cohort[];
  readonly persons: readonly string[];
  readonly records: number;
  readonly rollup: Rollup | null;
}

const EMPTY_GROUP: Group = {
  owner: null,
  service: null,
  provider: null,
  servedModel: null,
  pathway: null,
  region: null,
};

/** What is left of a group's name in a parent. */
export const parentOf: Readonly<Record<Rollup, (group: Group) => Group>> = {
  Service: (group) => ({ ...group, owner: null }),
  Provider: (group) => ({ ...group, owner: null, service: null }),
  Tenant: () => EMPTY_GROUP,
};

/** The parents that groups of this grain have, the nearest first. */
const parentsOf = ({ groupBy }: Grain): readonly Rollup[] => {
  const hasService = groupBy.has('owner') && groupBy.has('service');
  const hasProvider = groupBy.has('provider') && (groupBy.has('owner') || groupBy.has('service'));
  return [
    ...(hasService ? ['Service' as const] : []),
    ...(hasProvider ? ['Provider' as const] : []),
    'Tenant',
  ];
};

const isBelowMinimum = ({ persons }: Pick<Node, 'persons'>): boolean =>
  persons.length > 0 && persons.length < COHORT_MINIMUM;

const nameOf = ({ members }: Node, rollup: Rollup | null): string => {
  const group = members[0]?.group ?? EMPTY_GROUP;
  return groupText(rollup === null ? group : parentOf[rollup](group));
};

const mergeNodes = (nodes: readonly Node[], rollup: Rollup): Node => ({
  members: nodes.flatMap(({ members }) => members),
  persons: nodes.reduce((persons: readonly string[], node) => mergePersonHashes(persons, node.persons), []),
  records: nodes.reduce((sum, { records }) => sum + records, 0),
  rollup,
});

/** The fewest persons first and groups without any last, ties by calls and name: never by the order they came in. */
const bySize = (one: Node, other: Node): number => {
  const [few, many] = [one, other].map(({ persons }) => persons.length || COHORT_MINIMUM + 1);
  return (
    (few ?? 0) - (many ?? 0) ||
    one.records - other.records ||
    (nameOf(one, one.rollup) < nameOf(other, other.rollup) ? -1 : 1)
  );
};

/**
 * Folds small groups of one parent. A single one takes the next smallest beside it along, so that no subtraction gives
 * it away; where nothing is above, more of those with persons join until they are enough.
 */
const mergeSmallNodes = (small: readonly Node[], beside: readonly Node[], rollup: Rollup): Node => {
  const others = beside.toSorted(bySize);
  let node = mergeNodes(small, rollup);
  for (let count = small.length; others[0] !== undefined; count += 1) {
    const needsMore = rollup === 'Tenant' && isBelowMinimum(node) && others[0].persons.length > 0;
    if (count >= 2 && !needsMore) break;
    node = mergeNodes([node, others[0]], rollup);
    others.shift();
  }
  return node;
};

/**
 * Which groups come in a parent: those of one to four distinct persons, and those that bear a person's own name. They
 * fold into their service; what is too few there, into the provider; and what is too few there too, into the tenant.
 * A group whose records name no person is no cohort of persons, and stands.
 */
export const decideSuppression = (cohorts: readonly Cohort[], grain: Grain): Suppression => {
  const identities = new Set(cohorts.flatMap(({ identities: own }) => own));
  const bears = (label: string | null): boolean => label !== null && identities.has(label);
  const mustSuppress = (node: Node): boolean =>
    isBelowMinimum(node) ||
    (node.rollup === null && node.members.some(({ group }) => bears(group.owner))) ||
    ((node.rollup === null || node.rollup === 'Service') &&
      node.members.some(({ group }) => bears(group.service)));

  const leaves = cohorts.map((cohort): Node => ({ ...cohort, members: [cohort], rollup: null }));
  let small = leaves.filter(mustSuppress);
  let retained = leaves.filter((node) => !mustSuppress(node));
  for (const rollup of parentsOf(grain)) {
    const retainedByParent = Map.groupBy(retained, (node) => nameOf(node, rollup));
    const mergedNodes = [...Map.groupBy(small, (node) => nameOf(node, rollup))].map(([parent, children]) =>
      mergeSmallNodes(children, retainedByParent.get(parent) ?? [], rollup),
    );
    const taken = new Set(mergedNodes.flatMap(({ members }) => members));
    small = rollup === 'Tenant' ? [] : mergedNodes.filter(mustSuppress);
    retained = [
      ...retained.filter(({ members }) => !members.some((member) => taken.has(member))),
      ...mergedNodes.filter((node) => !small.includes(node)),
    ];
  }

  const rollups = new Map<string, Rollup>();
  const owners = new Set<string>();
  let cost = 0n;
  for (const { members, rollup } of retained) {
    for (const { group, cost: own } of members) {
      if (rollup === null) {
        if (group.owner !== null) owners.add(group.owner);
        continue;
      }
      rollups.set(groupText(group), rollup);
      cost += own;
    }
  }
  return { rollups, owners, groups: rollups.size, cost };
};

const RollupName = LineKey.shape.rollup.unwrap();

/** A folding as JSON, for what waits in store. */
export const StoredSuppression = z.codec(
  z.object({
    rollups: z.array(z.tuple([z.string(), RollupName])),
    owners: z.array(z.string()),
    groups: z.int(),
    cost: StoredFixedPoint,
  }),
  z.custom<Suppression>(),
  {
    decode: ({ rollups, owners, groups, cost }) => ({
      rollups: new Map(rollups),
      owners: new Set(owners),
      groups,
      cost,
    }),
    encode: ({ rollups, owners, groups, cost }) => ({
      rollups: [...rollups],
      owners: [...owners],
      groups,
      cost,
    }),
  },
);
