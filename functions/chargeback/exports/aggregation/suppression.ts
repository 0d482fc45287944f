import * as z from 'zod';
import { StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { COHORT_MINIMUM } from '../../../../schemas/reports.ts';
import { hasTooFewPersons, type PersonIndex } from '../../../ledger/cohorts/persons.ts';
import { LineKey } from '../focus/line.ts';
import type { Grain } from '../focus/recordLines.ts';
import { type ExportCohort, type Group, groupText, mergePersonHashes } from './cohort.ts';

export type Rollup = Exclude<LineKey['rollup'], null>;

/** The groups that are merged into a parent. All other groups are shown. */
export interface Suppression {
  readonly rollups: ReadonlyMap<string, Rollup>;
  /** Owners of groups that are shown. */
  readonly owners: ReadonlySet<string>;
  readonly groups: number;
  /** Cost of the suppressed groups, units of 1e-12 USD. */
  readonly cost: bigint;
}

/** One or more groups that are shown as one. Initially each group is its cost node. */
interface Node {
  readonly members: readonly ExportCohort[];
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

/** The dimensions that remain of a group at each parent level. */
export const parentOf: Readonly<Record<Rollup, (group: Group) => Group>> = {
  Service: (group) => ({ ...group, owner: null }),
  Provider: (group) => ({ ...group, owner: null, service: null }),
  Tenant: () => EMPTY_GROUP,
};

/** The parent levels of groups of this grain, nearest first. */
const parentsOf = ({ groupBy }: Grain): readonly Rollup[] => {
  const hasService = groupBy.has('owner') && groupBy.has('service');
  const hasProvider = groupBy.has('provider') && (groupBy.has('owner') || groupBy.has('service'));
  return [
    ...(hasService ? ['Service' as const] : []),
    ...(hasProvider ? ['Provider' as const] : []),
    'Tenant',
  ];
};

const isBelowMinimum = ({ persons }: Pick<Node, 'persons'>): boolean => hasTooFewPersons(persons);

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

/**
 * Order by number of persons, ascending, groups without persons last. Ties are broken by records and name, so the result
 * does not depend on input order.
 */
const bySize = (one: Node, other: Node): number => {
  const [few, many] = [one, other].map(({ persons }) => persons.length || COHORT_MINIMUM + 1);
  return (
    (few ?? 0) - (many ?? 0) ||
    one.records - other.records ||
    (nameOf(one, one.rollup) < nameOf(other, other.rollup) ? -1 : 1)
  );
};

/**
 * Merges the suppressed groups of one parent. If they have too few persons, a single one is merged with its smallest
 * sibling, so that subtracting the other rows from the total cannot recover it. At the Tenant level, which has no parent,
 * siblings with persons are added until the minimum is reached.
 */
const mergeSmallNodes = (small: readonly Node[], siblings: readonly Node[], rollup: Rollup): Node => {
  const candidates = siblings.toSorted(bySize);
  let node = mergeNodes(small, rollup);
  for (let count = small.length; candidates[0] !== undefined; count += 1) {
    const needsMore = rollup === 'Tenant' && candidates[0].persons.length > 0;
    if (!isBelowMinimum(node) || (count >= 2 && !needsMore)) break;
    node = mergeNodes([node, candidates[0]], rollup);
    candidates.shift();
  }
  return node;
};

/**
 * Decides which groups are suppressed, by the rule of the reports (`persons`): groups of one to four distinct persons, and
 * groups of which a label is the identity of a person of the month.
 * They are merged into their service. Service groups that are still too small are merged into the provider, and provider
 * groups that are still too small into the tenant. Groups whose records name no person are shown.
 */
export const decideSuppression = (
  cohorts: readonly ExportCohort[],
  persons: PersonIndex,
  grain: Grain,
): Suppression => {
  const identities = new Set(cohorts.flatMap(({ identities: own }) => own));
  const isIdentity = (label: string | null): boolean =>
    label !== null && (identities.has(label) || persons.isIdentity(label));
  const mustSuppress = (node: Node): boolean =>
    isBelowMinimum(node) ||
    (node.rollup === null && node.members.some(({ group }) => isIdentity(group.owner))) ||
    (node.rollup !== 'Tenant' && node.members.some(({ group }) => isIdentity(group.region))) ||
    ((node.rollup === null || node.rollup === 'Service') &&
      node.members.some(({ group }) => isIdentity(group.service)));

  const leaves = cohorts.map((cohort): Node => {
    const { owner, service, region } = cohort.group;
    const named = persons.personsOf(cohort.persons, [owner, service, region]);
    return { members: [cohort], persons: named, records: cohort.records, rollup: null };
  });
  let small = leaves.filter(mustSuppress);
  let retained = leaves.filter((node) => !mustSuppress(node));
  for (const rollup of parentsOf(grain)) {
    const retainedByParent = Map.groupBy(retained, (node) => nameOf(node, rollup));
    const mergedNodes = [...Map.groupBy(small, (node) => nameOf(node, rollup))].map(([parent, children]) =>
      mergeSmallNodes(children, retainedByParent.get(parent) ?? [], rollup),
    );
    const mergedMembers = new Set(mergedNodes.flatMap(({ members }) => members));
    small = rollup === 'Tenant' ? [] : mergedNodes.filter(mustSuppress);
    retained = [
      ...retained.filter(({ members }) => !members.some((member) => mergedMembers.has(member))),
      ...mergedNodes.filter((node) => !small.includes(node)),
    ];
  }

  const rollups = new Map<string, Rollup>();
  const owners = new Set<string>();
  let cost = 0n;
  for (const { members, rollup } of retained) {
    for (const { group, cost: cohortCost } of members) {
      if (rollup === null) {
        if (group.owner !== null) owners.add(group.owner);
        continue;
      }
      rollups.set(groupText(group), rollup);
      cost += cohortCost;
    }
  }
  return { rollups, owners, groups: rollups.size, cost };
};

const RollupName = LineKey.shape.rollup.unwrap();

/** JSON form of a suppression in work documents. */
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
