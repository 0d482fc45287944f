import { COHORT_MINIMUM, type CohortField } from '../../../schemas/insight/reports.ts';
import type { Dimensions, Figures, Rollup, RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { isTagField, type TagField } from '../../../schemas/tenants/costAllocationTags.ts';
import { isAddress } from '../records/person.ts';
import { LENGTH } from '../rollups/grain.ts';
import { distinctUpToMinimum, type PersonIndex } from './persons.ts';

/**
 * Labels of a call, in suppression order: small groups keep the first labels longest. The region is last, so that telling
 * regions apart hides no other label. The labels of cost allocation tags follow.
 */
export const labelNames = [
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'output_state',
  'confidence_band',
  'owner_state',
  'service_state',
  'region',
] as const satisfies readonly (
  | CohortField
  | 'output_state'
  | 'confidence_band'
  | 'owner_state'
  | 'service_state'
)[];
/** The label of a cost allocation tag exists on the days on which the tag is in force. */
export type LabelName = (typeof labelNames)[number] | TagField;
export type Labels = Readonly<Record<(typeof labelNames)[number], string | null>> & {
  readonly [label: TagField]: string | null | undefined;
};

/** The cost allocation tags that any of these cells has a label of. */
export const tagLabelsOf = (cells: readonly Pick<Cell, 'labels'>[]): TagField[] =>
  [...new Set(cells.flatMap(({ labels }) => Object.keys(labels).filter(isTagField)))].sort();

/** The calls of a cell in one interval: a day, an hour or a part of an hour, depending on what was read. */
export interface CellPart {
  /** Start of the interval, epoch milliseconds. */
  readonly at: number;
  /** Length of the interval, milliseconds. */
  readonly length: number;
  /** Hashes of distinct persons, at most `COHORT_MINIMUM`; empty when the calls name no person. */
  readonly persons: readonly string[];
  readonly figures: Figures;
  readonly cell: Cell;
}

/** One group of one UTC day. Suppression decides about a cell as a whole, also when it was read by the hour. */
export interface Cell {
  readonly day: number;
  readonly lane: string | null;
  readonly labels: Labels;
  /** Hashes of distinct persons, at most `COHORT_MINIMUM`: those whom the calls name, or else those whom the labels name. */
  readonly persons: readonly string[];
  /**
   * Whether the calls can be those of persons. An address under which nobody is known to have called can be a person, but it
   * hides nobody else: it is not counted.
   */
  readonly isPersonal: boolean;
  readonly invocations: number;
  readonly parts: readonly CellPart[];
}

/** A sum of one interval. Its length, in milliseconds, is that of its grain if it is not given. */
export type Slice = Rollup & { readonly length?: number };

/** A day with calls: one daily rollup, or hourly rollups of which some are divided further. */
export interface Day {
  readonly start: number;
  readonly rollups: readonly Slice[];
}

/** Number of distinct persons, capped at {@link COHORT_MINIMUM}. */
export const countPersonsUpToMinimum = (sets: Iterable<Pick<Cell, 'persons'>>): number =>
  distinctUpToMinimum([...sets].map(({ persons }) => persons)).length;

/** The labels of the calls of a group. The tags that budgets name are none. */
export const labelsOf = (dimensions: Dimensions): Labels => {
  const { residency: _residency, tags: _tags, cost_allocation_tags: tags, ...labels } = dimensions;
  return {
    ...labels,
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tag:${key}` as const, value])),
  };
};

interface TimedGroup {
  readonly at: number;
  readonly length: number;
  readonly group: RollupGroup;
}

const cellOf = (
  day: number,
  timedGroups: readonly TimedGroup[],
  { dimensions }: RollupGroup,
  persons: PersonIndex,
): Cell => {
  const { residency, cost_allocation_tags: tags, owner, service, region } = dimensions;
  const bearer = persons.personNamed(owner);
  // Calls that name nobody count as the person who is their owner, and not as another, unknown one.
  const personsIn = ({ figures }: RollupGroup): readonly string[] =>
    bearer !== null && figures.impersonal === figures.invocations ? [bearer] : figures.persons;
  const named = distinctUpToMinimum(timedGroups.map(({ group }) => personsIn(group)));
  const names = [owner, service, region, ...Object.values(tags)];
  const parts: CellPart[] = [];
  const cell: Cell = {
    day,
    lane: residency,
    labels: labelsOf(dimensions),
    // Two labels of one call can name two persons, of whom one has called.
    persons: named.length > 0 ? named : names.flatMap((name) => persons.personNamed(name) ?? []).slice(0, 1),
    isPersonal:
      named.length > 0 ||
      names.some((name) => name !== null && (persons.isIdentity(name) || isAddress(name))),
    invocations: timedGroups.reduce((sum, { group }) => sum + group.figures.invocations, 0),
    parts,
  };
  for (const { at, length, group } of timedGroups) {
    const { figures } = group;
    const own = named.length > 0 ? personsIn(group).slice(0, COHORT_MINIMUM) : cell.persons;
    parts.push({ at, length, persons: own, figures, cell });
  }
  return cell;
};

/** Groups the rollups of a day into cells. */
export const cellsOfDay = ({ start, rollups }: Day, persons: PersonIndex): Cell[] => {
  const timedGroups = rollups.flatMap(({ start: at, grain, length = LENGTH[grain], groups }) =>
    groups.map((group) => ({ at, length, group })),
  );
  const byGroup = Map.groupBy(timedGroups, ({ group }) => JSON.stringify(Object.values(group.dimensions)));
  return [...byGroup.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [cellOf(start, same, first.group, persons)];
  });
};
