import * as z from 'zod';
import { type ExclusionReason, exclusionReasons } from '../../../schemas/focus.ts';
import type { Attribution } from '../../ledger/attribution.ts';
import type { Line } from '../focus/line.ts';
import { MergedLines } from '../focus/mergedLines.ts';
import { type Grain, linesOf } from '../focus/recordLines.ts';
import { type AdmissionPolicy, exclusionOf } from '../request/admissionPolicy.ts';
import { type Cohort, Cohorts, StoredCohort } from './cohort.ts';
import {
  addRecordTotals,
  type RecordTotals,
  recordTotalsOf,
  StoredRecordTotals,
  zeroTotals,
} from './recordTotals.ts';

/** What an export says of records beside their lines; that of several sets of records can be united. */
export interface Summary {
  readonly cohorts: readonly Cohort[];
  /** Every record that was looked at. */
  readonly ledger: RecordTotals;
  readonly excluded: ReadonlyMap<ExclusionReason, RecordTotals>;
}

const addExcluded = (
  excluded: Map<ExclusionReason, RecordTotals>,
  reason: ExclusionReason,
  tally: RecordTotals,
): void => {
  excluded.set(reason, addRecordTotals(excluded.get(reason) ?? zeroTotals, tally));
};

/**
 * Takes records of one month of UTC, in any order, and becomes their lines and their summary. It grows with the lines it
 * holds, not with the records it has seen; whoever has to bound that takes lines out and merges them later.
 */
export class Aggregator {
  readonly #grain: Grain;
  readonly #admission: AdmissionPolicy;
  #lines = new MergedLines();
  readonly #cohorts = new Cohorts();
  readonly #excluded = new Map<ExclusionReason, RecordTotals>();
  #ledger = zeroTotals;

  constructor(grain: Grain, admission: AdmissionPolicy) {
    this.#grain = grain;
    this.#admission = admission;
  }

  add(attribution: Attribution): void {
    const tally = recordTotalsOf(attribution.record);
    this.#ledger = addRecordTotals(this.#ledger, tally);
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
    this.#lines = new MergedLines();
    return lines;
  }

  summary(): Summary {
    return { cohorts: this.#cohorts.sorted(), ledger: this.#ledger, excluded: this.#excluded };
  }
}

/** What several gatherings without a record in common say together. */
export const mergeSummaries = (summaries: Iterable<Summary>): Summary => {
  const cohorts = new Cohorts();
  const excluded = new Map<ExclusionReason, RecordTotals>();
  let ledger = zeroTotals;
  for (const summary of summaries) {
    for (const cohort of summary.cohorts) cohorts.add(cohort);
    for (const [reason, tally] of summary.excluded) addExcluded(excluded, reason, tally);
    ledger = addRecordTotals(ledger, summary.ledger);
  }
  return { cohorts: cohorts.sorted(), ledger, excluded };
};

/** A summary as JSON, for parts that wait in store. */
export const StoredSummary = z.codec(
  z.object({
    cohorts: z.array(StoredCohort),
    ledger: StoredRecordTotals,
    excluded: z.array(z.tuple([z.enum(exclusionReasons), StoredRecordTotals])),
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
