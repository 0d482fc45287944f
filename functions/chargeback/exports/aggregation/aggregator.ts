import * as z from 'zod';
import type { NodeHourLine } from '../../../../schemas/attribution/nodeHours.ts';
import type { ExclusionReason } from '../../../../schemas/chargeback/focus.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import type { Line } from '../focus/line.ts';
import { linesOf } from '../focus/recordLines.ts';
import type { Grain } from '../focus/shownDimensions.ts';
import { type AdmissionPolicy, exclusionOf } from '../request/admissionPolicy.ts';
import {
  addExcluded,
  type Corrected,
  mergeCorrected,
  StoredCorrected,
  StoredExcludedTotals,
} from './correctedTotals.ts';
import { FoldedGroups, StoredFoldedGroups } from './foldedGroups.ts';
import { idleLines } from './idleLines.ts';
import { type ModelSums, ModelSumsCounter, noModelSums, rangeSumOf, StoredModelSums } from './modelSums.ts';
import type { RecordCohorts } from './recordCohorts.ts';
import {
  addRecordTotals,
  type RecordTotals,
  recordTotalsOf,
  StoredRecordTotals,
  zeroTotals,
} from './recordTotals.ts';

/** Data about a set of records in addition to their lines. Summaries of disjoint sets can be merged. */
export interface Summary {
  /** Totals of all records read, excluded ones included. */
  readonly ledger: RecordTotals;
  /** Totals of the rows about what nobody used of own nodes, which no record has. */
  readonly idle: RecordTotals;
  readonly excluded: ReadonlyMap<ExclusionReason, RecordTotals>;
  /** Sums of the exported records by model. */
  readonly models: ModelSums;
  /** Ids of the groups that suppression merged, and their cost. */
  readonly folded: { readonly groups: readonly string[]; readonly cost: bigint };
  /** What closed months have changed by. Part of no other member. */
  readonly corrected: Corrected;
}

/** Turns records of one UTC month, in any order, into lines, which `emit` receives, and a summary. */
export class Aggregator {
  readonly #grain: Grain;
  readonly #admission: AdmissionPolicy;
  readonly #cohorts: RecordCohorts;
  readonly #emit: (line: Line) => void;
  readonly #folded = new FoldedGroups();
  readonly #excluded = new Map<ExclusionReason, RecordTotals>();
  readonly #models = new ModelSumsCounter();
  #ledger = zeroTotals;
  #idle = zeroTotals;

  constructor(grain: Grain, admission: AdmissionPolicy, cohorts: RecordCohorts, emit: (line: Line) => void) {
    this.#grain = grain;
    this.#admission = admission;
    this.#cohorts = cohorts;
    this.#emit = emit;
  }

  /** `writtenAt` is when this version of the record was written, epoch milliseconds. */
  add(attribution: Attribution, writtenAt: number): void {
    const totals = recordTotalsOf(attribution.record);
    this.#ledger = addRecordTotals(this.#ledger, totals);
    const reason = exclusionOf(attribution, this.#admission);
    if (reason !== null) {
      addExcluded(this.#excluded, reason, totals);
      return;
    }
    const cohort = this.#cohorts.cohortOf(attribution, writtenAt);
    for (const line of linesOf(attribution, this.#grain, cohort)) {
      this.#emit(line);
      this.#folded.add(cohort?.id ?? '', line);
    }
    const { cost, energy, carbon } = attribution.explanation;
    const model = attribution.record.served_model;
    if (cost !== null) this.#models.add('cost', model, rangeSumOf(cost));
    if (energy !== null) this.#models.add('energy', model, rangeSumOf(energy));
    if (carbon !== null) this.#models.add('carbon', model, rangeSumOf(carbon));
  }

  /** Adds what nobody used of own nodes in these hours, all hours of a charge period at once. */
  addIdle(hours: readonly NodeHourLine[]): void {
    const { lines, totals } = idleLines(hours, this.#grain);
    for (const line of lines) this.#emit(line);
    this.#idle = addRecordTotals(this.#idle, totals);
  }

  summary(): Summary {
    return {
      ledger: this.#ledger,
      idle: this.#idle,
      excluded: this.#excluded,
      models: this.#models.sums,
      folded: this.#folded.folded,
      corrected: new Map(),
    };
  }
}

/** Merges the summaries of disjoint sets of records. */
export const mergeSummaries = (summaries: Iterable<Summary>): Summary => {
  const excluded = new Map<ExclusionReason, RecordTotals>();
  const models = new ModelSumsCounter();
  let [ledger, idle] = [zeroTotals, zeroTotals];
  const folded = new FoldedGroups();
  const corrected: Corrected[] = [];
  for (const summary of summaries) {
    corrected.push(summary.corrected);
    folded.merge(summary.folded);
    for (const [reason, totals] of summary.excluded) addExcluded(excluded, reason, totals);
    models.addAll(summary.models);
    ledger = addRecordTotals(ledger, summary.ledger);
    idle = addRecordTotals(idle, summary.idle);
  }
  return {
    ledger,
    idle,
    excluded,
    models: models.sums,
    folded: folded.folded,
    corrected: mergeCorrected(corrected),
  };
};

/** JSON form of a summary in work documents. */
export const StoredSummary = z.codec(
  z.object({
    ledger: StoredRecordTotals,
    idle: StoredRecordTotals.default(zeroTotals),
    folded: StoredFoldedGroups,
    excluded: StoredExcludedTotals,
    models: StoredModelSums.default(noModelSums),
    corrected: StoredCorrected.optional(),
  }),
  z.custom<Summary>(),
  {
    decode: ({ corrected = new Map(), ...rest }) => ({ ...rest, corrected }),
    encode: ({ folded, corrected, ...rest }) => ({
      ...rest,
      folded: { groups: [...folded.groups], cost: folded.cost },
      ...(corrected.size > 0 && { corrected }),
    }),
  },
);
