import * as z from 'zod';
import { type ExclusionReason, exclusionReasons } from '../../../schemas/focus.ts';
import type { Attribution } from '../../ledger/attribution.ts';
import { Lines } from '../focus/grain.ts';
import type { Line } from '../focus/line.ts';
import { type Grain, linesOf } from '../focus/rows.ts';
import { type Admission, exclusionOf } from '../request/policy.ts';
import { type Cohort, Cohorts, StoredCohort } from './cohort.ts';
import { addTallies, nothing, StoredTally, type Tally, tallyOf } from './tally.ts';

/** What an export says of records beside their lines; that of several sets of records can be united. */
export interface Summary {
  readonly cohorts: readonly Cohort[];
  /** Every record that was looked at. */
  readonly ledger: Tally;
  readonly excluded: ReadonlyMap<ExclusionReason, Tally>;
}

const addExcluded = (excluded: Map<ExclusionReason, Tally>, reason: ExclusionReason, tally: Tally): void => {
  excluded.set(reason, addTallies(excluded.get(reason) ?? nothing, tally));
};

/**
 * Takes records of one month of UTC, in any order, and becomes their lines and their summary. It grows with the lines it
 * holds, not with the records it has seen; whoever has to bound that takes lines out and merges them later.
 */
export class Gathering {
  readonly #grain: Grain;
  readonly #admission: Admission;
  #lines = new Lines();
  readonly #cohorts = new Cohorts();
  readonly #excluded = new Map<ExclusionReason, Tally>();
  #ledger = nothing;

  constructor(grain: Grain, admission: Admission) {
    this.#grain = grain;
    this.#admission = admission;
  }

  add(attribution: Attribution): void {
    const tally = tallyOf(attribution.record);
    this.#ledger = addTallies(this.#ledger, tally);
    const reason = exclusionOf(attribution, this.#admission);
    if (reason !== null) {
      addExcluded(this.#excluded, reason, tally);
      return;
    }
    const lines = linesOf(attribution, this.#grain);
    for (const line of lines) this.#lines.add(line);
    this.#cohorts.addRecord(attribution, lines, this.#grain);
  }

  /** Lines it holds. */
  get size(): number {
    return this.#lines.size;
  }

  /** Takes its lines out, in order, so that it can go on with others. Its summary goes on counting. */
  takeLines(): readonly Line[] {
    const lines = this.#lines.sorted();
    this.#lines = new Lines();
    return lines;
  }

  summary(): Summary {
    return { cohorts: this.#cohorts.sorted(), ledger: this.#ledger, excluded: this.#excluded };
  }
}

/** What several gatherings without a record in common say together. */
export const uniteSummaries = (summaries: Iterable<Summary>): Summary => {
  const cohorts = new Cohorts();
  const excluded = new Map<ExclusionReason, Tally>();
  let ledger = nothing;
  for (const summary of summaries) {
    for (const cohort of summary.cohorts) cohorts.add(cohort);
    for (const [reason, tally] of summary.excluded) addExcluded(excluded, reason, tally);
    ledger = addTallies(ledger, summary.ledger);
  }
  return { cohorts: cohorts.sorted(), ledger, excluded };
};

/** A summary as JSON, for parts that wait in store. */
export const StoredSummary = z.codec(
  z.object({
    cohorts: z.array(StoredCohort),
    ledger: StoredTally,
    excluded: z.array(z.tuple([z.enum(exclusionReasons), StoredTally])),
  }),
  z.custom<Summary>(),
  {
    decode: ({ excluded, ...rest }) => ({ ...rest, excluded: new Map(excluded) }),
    encode: ({ excluded, cohorts, ledger }) => ({
      cohorts: cohorts.map((cohort) => ({
        ...cohort,
        persons: [...cohort.persons],
        identities: [...cohort.identities],
      })),
      ledger,
      excluded: [...excluded],
    }),
  },
);
