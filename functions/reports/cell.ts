import { COHORT_MINIMUM, type CohortField, MIXED } from '../../schemas/reports.ts';
import type { Figures, Rollup, RollupGroup } from '../../schemas/rollup.ts';
import { personHash } from '../rollups/figures.ts';
import { sha256Of } from '../shared/hash.ts';

/** What calls are told apart by, in the order in which small groups keep it. */
export const labelNames = [
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'output_state',
  'confidence_band',
] as const satisfies readonly (CohortField | 'output_state' | 'confidence_band')[];
export type LabelName = (typeof labelNames)[number];
export type Labels = Readonly<Record<LabelName, string | null>>;

/** What happened in one hour or day of a cell: whichever was read. */
export interface CellPart {
  /** Where the hour or day begins, epoch milliseconds. */
  readonly at: number;
  /** Hashes of the persons, at most as many as a cohort needs: none where nobody is named. */
  readonly persons: readonly string[];
  readonly figures: Figures;
  readonly cell: Cell;
}

/** One group of one UTC day: what is decided about as a whole, however finely it was read. */
export interface Cell {
  readonly day: number;
  readonly lane: string | null;
  readonly labels: Labels;
  readonly persons: readonly string[];
  readonly invocations: number;
  readonly parts: readonly CellPart[];
}

/** A day with anything in it: as its own rollup, or as those of its hours. */
export interface Day {
  readonly start: number;
  readonly rollups: readonly Rollup[];
}

/** Who is a person: by the hashes of those whom the calls of a month name. */
export class PersonIndex {
  readonly #known = new Set<string>();
  readonly #hashes = new Map<string, string>();
  readonly #tenantId: string;

  constructor(tenantId: string, days: readonly Day[]) {
    this.#tenantId = tenantId;
    for (const { rollups } of days) {
      for (const { groups } of rollups) {
        for (const { figures } of groups) for (const hash of figures.persons) this.#known.add(hash);
      }
    }
  }

  hashOf(name: string): string {
    const hash = this.#hashes.get(name) ?? personHash(sha256Of('person', this.#tenantId, name));
    this.#hashes.set(name, hash);
    return hash;
  }

  /** Whether a label is the identity of somebody who called that month. */
  isIdentity(label: string | null): boolean {
    return label !== null && this.#known.has(this.hashOf(label));
  }

  /** Calls without a person that a person's name stands over are that person's. An address is taken for a name. */
  behind({ owner, service }: Pick<Labels, 'owner' | 'service'>): string[] {
    return [owner, service].flatMap((label) =>
      label !== null && (label.includes('@') || this.isIdentity(label)) ? [this.hashOf(label)] : [],
    );
  }
}

const distinctUpToMinimum = (lists: Iterable<readonly string[]>): string[] => {
  const found = new Set<string>();
  for (const list of lists) {
    for (const person of list) {
      if (found.size === COHORT_MINIMUM) return [...found];
      found.add(person);
    }
  }
  return [...found];
};

/** Distinct persons; at most {@link COHORT_MINIMUM}, which stands for any more. */
export const countPersonsUpToMinimum = (sets: Iterable<Pick<Cell, 'persons'>>): number =>
  distinctUpToMinimum([...sets].map(({ persons }) => persons)).length;

const soleOf = (totals: readonly object[]): string => {
  const names = new Set(totals.flatMap((tally) => Object.keys(tally)));
  const [name, ...others] = names;
  return name === undefined || others.length > 0 ? MIXED : name;
};

interface TimedGroup {
  readonly at: number;
  readonly group: RollupGroup;
}

const cellOf = (
  day: number,
  pieces: readonly TimedGroup[],
  { dimensions }: RollupGroup,
  known: PersonIndex,
): Cell => {
  const { owner, service, provider, served_model, pathway_category, residency } = dimensions;
  const named = distinctUpToMinimum(pieces.map(({ group }) => group.figures.persons));
  const parts: CellPart[] = [];
  const cell: Cell = {
    day,
    lane: residency,
    labels: {
      owner,
      service,
      provider,
      served_model,
      pathway_category,
      output_state: soleOf(pieces.map(({ group }) => group.figures.states)),
      confidence_band: soleOf(pieces.map(({ group }) => group.figures.bands)),
    },
    persons: named.length > 0 ? named : known.behind(dimensions),
    invocations: pieces.reduce((sum, { group }) => sum + group.figures.invocations, 0),
    parts,
  };
  for (const { at, group } of pieces) {
    const { figures } = group;
    const persons = named.length > 0 ? figures.persons.slice(0, COHORT_MINIMUM) : cell.persons;
    parts.push({ at, persons, figures, cell });
  }
  return cell;
};

/** The cells of a day. */
export const compareModelDays = ({ start, rollups }: Day, known: PersonIndex): Cell[] => {
  const pieces = rollups.flatMap(({ start: at, groups }) => groups.map((group) => ({ at, group })));
  const byGroup = Map.groupBy(pieces, ({ group }) => JSON.stringify(Object.values(group.dimensions)));
  return [...byGroup.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [cellOf(start, same, first.group, known)];
  });
};
