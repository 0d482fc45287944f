import { COHORT_MINIMUM, type CohortField } from '../../../schemas/reports.ts';
import type { Dimensions, Figures, Rollup, RollupGroup } from '../../../schemas/rollup.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { personHash } from '../rollups/figures.ts';

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
  'region',
] as const satisfies readonly (CohortField | 'output_state' | 'confidence_band')[];
/** The label of a cost allocation tag. It exists on the days on which the tag is in force. */
export type TagLabel = `tag:${string}`;
export type LabelName = (typeof labelNames)[number] | TagLabel;
export type Labels = Readonly<Record<(typeof labelNames)[number], string | null>> & {
  readonly [label: TagLabel]: string | null | undefined;
};

const isTagLabel = (name: string): name is TagLabel => name.startsWith('tag:');

/** The cost allocation tags that any of these cells has a label of. */
export const tagLabelsOf = (cells: readonly Pick<Cell, 'labels'>[]): TagLabel[] =>
  [...new Set(cells.flatMap(({ labels }) => Object.keys(labels).filter(isTagLabel)))].sort();

/** The calls of a cell in one hour or one day, depending on the grain that was read. */
export interface CellPart {
  /** Start of the hour or day, epoch milliseconds. */
  readonly at: number;
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
  readonly persons: readonly string[];
  readonly invocations: number;
  readonly parts: readonly CellPart[];
}

/** A day with calls, as one daily rollup or as hourly rollups. */
export interface Day {
  readonly start: number;
  readonly rollups: readonly Rollup[];
}

/** Index of the persons that the calls of a month name, by hash. */
export class PersonIndex {
  readonly #personHashes = new Set<string>();
  readonly #hashes = new Map<string, string>();
  readonly #tenantId: string;

  constructor(tenantId: string, days: readonly Day[]) {
    this.#tenantId = tenantId;
    for (const { rollups } of days) {
      for (const { groups } of rollups) {
        for (const { figures } of groups) for (const hash of figures.persons) this.#personHashes.add(hash);
      }
    }
  }

  hashOf(name: string): string {
    const hash = this.#hashes.get(name) ?? personHash(sha256Of('person', this.#tenantId, name));
    this.#hashes.set(name, hash);
    return hash;
  }

  /** Whether a label is the identity of a person who called in that month. */
  isIdentity(label: string | null): boolean {
    return label !== null && this.#personHashes.has(this.hashOf(label));
  }

  /** Hashes of persons that the labels identify. Any label with an email address counts as an identity. */
  personsFromLabels({ owner, service, region, cost_allocation_tags: tags }: Dimensions): string[] {
    return [owner, service, region, ...Object.values(tags)].flatMap((label) =>
      label !== null && (label.includes('@') || this.isIdentity(label)) ? [this.hashOf(label)] : [],
    );
  }
}

const distinctUpToMinimum = (lists: Iterable<readonly string[]>): string[] => {
  const distinct = new Set<string>();
  for (const list of lists) {
    for (const person of list) {
      if (distinct.size === COHORT_MINIMUM) return [...distinct];
      distinct.add(person);
    }
  }
  return [...distinct];
};

/** Number of distinct persons, capped at {@link COHORT_MINIMUM}. */
export const countPersonsUpToMinimum = (sets: Iterable<Pick<Cell, 'persons'>>): number =>
  distinctUpToMinimum([...sets].map(({ persons }) => persons)).length;

interface TimedGroup {
  readonly at: number;
  readonly group: RollupGroup;
}

const cellOf = (
  day: number,
  timedGroups: readonly TimedGroup[],
  { dimensions }: RollupGroup,
  persons: PersonIndex,
): Cell => {
  const { residency, tags: _tags, cost_allocation_tags: tags, ...labels } = dimensions;
  const tagLabels = Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [`tag:${key}` as const, value]),
  );
  const named = distinctUpToMinimum(timedGroups.map(({ group }) => group.figures.persons));
  const parts: CellPart[] = [];
  const cell: Cell = {
    day,
    lane: residency,
    labels: { ...labels, ...tagLabels },
    persons: named.length > 0 ? named : persons.personsFromLabels(dimensions),
    invocations: timedGroups.reduce((sum, { group }) => sum + group.figures.invocations, 0),
    parts,
  };
  for (const { at, group } of timedGroups) {
    const { figures } = group;
    const persons = named.length > 0 ? figures.persons.slice(0, COHORT_MINIMUM) : cell.persons;
    parts.push({ at, persons, figures, cell });
  }
  return cell;
};

/** Groups the rollups of a day into cells. */
export const cellsOfDay = ({ start, rollups }: Day, persons: PersonIndex): Cell[] => {
  const timedGroups = rollups.flatMap(({ start: at, groups }) => groups.map((group) => ({ at, group })));
  const byGroup = Map.groupBy(timedGroups, ({ group }) => JSON.stringify(Object.values(group.dimensions)));
  return [...byGroup.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [cellOf(start, same, first.group, persons)];
  });
};
