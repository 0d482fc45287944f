import * as z from 'zod';
import { StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { type ExclusionReason, exclusionReasons } from '../../../../schemas/focus.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import type { Line } from '../focus/line.ts';
import { MergedLines } from '../focus/mergedLines.ts';
import { type Grain, linesOf } from '../focus/recordLines.ts';
import { type AdmissionPolicy, exclusionOf } from '../request/admissionPolicy.ts';
import { Cohorts, type ExportCohort, StoredCohort } from './cohort.ts';
import { type ModelSums, ModelSumsCounter, noModelSums, rangeSumOf, StoredModelSums } from './modelSums.ts';
import {
  addRecordTotals,
  type RecordTotals,
  recordTotalsOf,
  StoredRecordTotals,
  zeroTotals,
} from './recordTotals.ts';

/** Data about a set of records in addition to their lines. Summaries of disjoint sets can be merged. */
export interface Summary {
  readonly cohorts: readonly ExportCohort[];
  /** Totals of all records read, excluded ones included. */
  readonly ledger: RecordTotals;
  readonly excluded: ReadonlyMap<ExclusionReason, RecordTotals>;
  /** Sums of the exported records by model. */
  readonly models: ModelSums;
  /** Groups that suppression merged before the aggregation, and their cost. Only in an export of cohorts. */
  readonly folded: { readonly groups: number; readonly cost: bigint };
}

export const NOTHING_FOLDED = { groups: 0, cost: 0n };

export const addExcluded = (
  excluded: Map<ExclusionReason, RecordTotals>,
  reason: ExclusionReason,
  totals: RecordTotals,
): void => {
  excluded.set(reason, addRecordTotals(excluded.get(reason) ?? zeroTotals, totals));
};

/**
 * Aggregates records of one UTC month, in any order, into lines and a summary. Memory grows with the number of lines, not
 * with the number of records. To bound memory, call `takeLines` and merge the sorted runs later.
 */
export class Aggregator {
  readonly #grain: Grain;
  readonly #admission: AdmissionPolicy;
  #lines = new MergedLines();
  readonly #cohorts = new Cohorts();
  readonly #excluded = new Map<ExclusionReason, RecordTotals>();
  readonly #models = new ModelSumsCounter();
  #ledger = zeroTotals;

  constructor(grain: Grain, admission: AdmissionPolicy) {
    this.#grain = grain;
    this.#admission = admission;
  }

  add(attribution: Attribution): void {
    const totals = recordTotalsOf(attribution.record);
    this.#ledger = addRecordTotals(this.#ledger, totals);
    const reason = exclusionOf(attribution, this.#admission);
    if (reason !== null) {
      addExcluded(this.#excluded, reason, totals);
      return;
    }
    const lines = linesOf(attribution, this.#grain);
    for (const line of lines) this.#lines.add(line);
    this.#cohorts.addRecord(attribution, lines, this.#grain);
    const { cost, energy, carbon } = attribution.explanation;
    const model = attribution.record.served_model;
    if (cost !== null) this.#models.add('cost', model, rangeSumOf(cost));
    if (energy !== null) this.#models.add('energy', model, rangeSumOf(energy));
    if (carbon !== null) this.#models.add('carbon', model, rangeSumOf(carbon));
  }

  /** Number of lines in memory. */
  get size(): number {
    return this.#lines.size;
  }

  /** Removes and returns the lines, sorted by key. The summary is kept. */
  takeLines(): readonly Line[] {
    const lines = this.#lines.sorted();
    this.#lines = new MergedLines();
    return lines;
  }

  summary(): Summary {
    return {
      cohorts: this.#cohorts.sorted(),
      ledger: this.#ledger,
      excluded: this.#excluded,
      models: this.#models.sums,
      folded: NOTHING_FOLDED,
    };
  }
}

/** Merges the summaries of disjoint sets of records. */
export const mergeSummaries = (summaries: Iterable<Summary>): Summary => {
  const cohorts = new Cohorts();
  const excluded = new Map<ExclusionReason, RecordTotals>();
  const models = new ModelSumsCounter();
  let ledger = zeroTotals;
  let folded = NOTHING_FOLDED;
  for (const summary of summaries) {
    folded = {
      groups: folded.groups + summary.folded.groups,
      cost: folded.cost + summary.folded.cost,
    };
    for (const cohort of summary.cohorts) cohorts.add(cohort);
    for (const [reason, totals] of summary.excluded) addExcluded(excluded, reason, totals);
    models.addAll(summary.models);
    ledger = addRecordTotals(ledger, summary.ledger);
  }
  return { cohorts: cohorts.sorted(), ledger, excluded, models: models.sums, folded };
};

/** JSON form of a summary in work documents. */
export const StoredSummary = z.codec(
  z.object({
    cohorts: z.array(StoredCohort),
    ledger: StoredRecordTotals,
    folded: z.object({ groups: z.int(), cost: StoredFixedPoint }),
    excluded: z.array(z.tuple([z.enum(exclusionReasons), StoredRecordTotals])),
    models: StoredModelSums.default(noModelSums),
  }),
  z.custom<Summary>(),
  {
    decode: ({ excluded, ...rest }) => ({ ...rest, excluded: new Map(excluded) }),
    encode: ({ excluded, cohorts, ledger, models, folded }) => ({
      folded,
      models,
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
