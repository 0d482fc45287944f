import type { ExportFile, ExportManifest } from '../../../../schemas/chargeback/exportManifest.ts';
import type { ExportBasis } from '../../../../schemas/chargeback/exports.ts';
import { type CostMode, type ExportRequest, exclusionReasons } from '../../../../schemas/chargeback/focus.ts';
import type { PeriodStatus } from '../../../../schemas/chargeback/periods.ts';
import { formatFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { COHORT_MINIMUM } from '../../../../schemas/insight/reports.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Summary } from '../aggregation/aggregator.ts';
import {
  allCorrected,
  type Corrected,
  type CorrectedTotals,
  signedTotals,
} from '../aggregation/correctedTotals.ts';
import { jointRangesOf } from '../aggregation/modelSums.ts';
import {
  addRecordTotals,
  isEqual,
  type RecordTotals,
  toExportSums,
  zeroTotals,
} from '../aggregation/recordTotals.ts';
import type { RowTotals } from '../aggregation/rowTotals.ts';
import { ExportError } from '../job/exportError.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import type { OutputPlan } from '../request/outputPlan.ts';
import { datasetInstanceIdOf, GENERATOR, GENERATOR_VERSION, schemaIdOf } from './focusMetadata.ts';

const NOTES: Readonly<Record<CostMode, string>> = {
  chargeback:
    'An internal bill. The vendors bill the same usage. Do not add these costs to the costs in vendor files.',
  showback:
    'BilledCost and EffectiveCost are zero, since the vendors bill this usage. These files can be combined with vendor files without double counting. The cost is in ListCost and ContractedCost.',
};

/** Request and results of an export. Instants are epoch milliseconds. */
export interface ManifestInput {
  readonly exportId: string;
  readonly request: ExportRequest;
  readonly plan: OutputPlan;
  readonly basis: ExportBasis;
  /** Totals over all months. */
  readonly summary: Pick<Summary, 'ledger' | 'idle' | 'excluded' | 'models' | 'corrected'>;
  readonly periods: readonly PeriodStatus[];
  /** Number and cost (units of 1e-12 USD) of the groups that suppression merged. */
  readonly folded: { readonly groups: number; readonly cost: bigint };
  readonly totals: RowTotals;
  readonly files: readonly ExportFile[];
  /** Up to when the totals are complete. */
  readonly asOf: number;
  readonly isStale: boolean;
  readonly createdAt: number;
  readonly finishedAt: number;
}

/** Removes the totals of other lanes, so that a lane-bound export does not disclose them. */
const withoutOtherLanes = <Totals extends Pick<Summary, 'ledger' | 'excluded'>>(
  totals: Totals,
  { admission }: OutputPlan,
): Totals => {
  const otherLanes = totals.excluded.get('residency_excluded');
  if (admission.lane === null || otherLanes === undefined) return totals;
  const excluded = new Map(totals.excluded);
  excluded.delete('residency_excluded');
  return { ...totals, excluded, ledger: addRecordTotals(totals.ledger, signedTotals(otherLanes, -1)) };
};

const sumOf = (totals: Iterable<RecordTotals>): RecordTotals =>
  [...totals].reduce(addRecordTotals, zeroTotals);

/** What the rows and exclusions of a correction sum to. */
const changeOf = ({ ledger, idle }: Pick<CorrectedTotals, 'ledger' | 'idle'>): RecordTotals =>
  addRecordTotals(ledger, idle);

const correctionsOf = (corrected: Corrected): NonNullable<ExportManifest['corrections']> =>
  [...corrected]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([period, { ledger, idle, excluded }]) => ({
      period,
      ledger: toExportSums(ledger),
      ...(!isEqual(idle, zeroTotals) && { idle_nodes: toExportSums(idle) }),
      excluded: exclusionReasons.flatMap((reason) => {
        const totals = excluded.get(reason);
        return totals === undefined || isEqual(totals, zeroTotals)
          ? []
          : [{ reason, ...toExportSums(totals) }];
      }),
    }));

/**
 * The manifest of an export. Throws an ExportError when rows and exclusions do not sum to the ledger, or when the number of
 * rows in the files is not the number counted. Such an export must not be delivered.
 */
export const buildManifest = (input: ManifestInput): ExportManifest => {
  const { request, plan, totals, files, folded } = input;
  const { ledger, excluded, idle } = withoutOtherLanes(input.summary, plan);
  const corrected: Corrected = new Map(
    [...input.summary.corrected].map(([month, change]) => [month, withoutOtherLanes(change, plan)]),
  );
  const change = allCorrected(corrected);
  const excludedTotals = sumOf([...excluded.values(), ...change.excluded.values()]);
  const whole = sumOf([ledger, idle, changeOf(change)]);
  const written: RecordTotals = { ...totals.sum, records: whole.records - excludedTotals.records };
  if (!isEqual(addRecordTotals(written, excludedTotals), whole))
    throw new ExportError('inconsistent', 'The rows and exclusions do not sum to the ledger and idle nodes.');
  const rowCount = files.reduce((sum, { rows }) => sum + rows, 0);
  if (rowCount !== totals.rows) {
    throw new ExportError(
      'inconsistent',
      `The files have ${rowCount} rows, but ${totals.rows} were counted.`,
    );
  }
  const { mode, tenantId } = plan.biller;
  const { from, to } = exportPeriodOf(request);
  const { cost_usd: cost, ...sums } = toExportSums(written);
  const billed = mode === 'chargeback' ? cost : '0';
  return {
    export_id: input.exportId,
    tenant_id: tenantId,
    generator: { name: GENERATOR, version: GENERATOR_VERSION },
    focus_version: plan.version,
    importer: request.importer ?? null,
    dataset_instance_id: datasetInstanceIdOf({ tenantId, mode, lane: plan.admission.lane }),
    schema_id: schemaIdOf(plan.version, plan.columns),
    period: { from: toIso(from), to: toIso(to) },
    basis: input.basis,
    granularity: request.granularity,
    group_by: request.group_by,
    tags: request.tags ?? [],
    residency: plan.admission.lane,
    cost_mode: mode,
    file_format: request.file_format,
    delivery: 'Overwrite',
    correction_style: 'Replacement',
    double_counting_note: NOTES[mode],
    as_of: toIso(input.asOf),
    stale: input.isStale,
    data_available_through: toIso(Math.min(to, input.asOf)),
    created_at: toIso(input.createdAt),
    finished_at: toIso(input.finishedAt),
    columns: [...plan.headers],
    row_count: rowCount,
    files: [...files],
    totals: {
      costs: [
        {
          currency: 'USD',
          billed_cost: billed,
          effective_cost: billed,
          list_cost: formatFixedPoint(totals.listCost),
          contracted_cost: cost,
        },
      ],
      consumed: [...totals.consumed],
      ...sums,
      joint_ranges: jointRangesOf(input.summary.models, ledger.records - sumOf(excluded.values()).records),
    },
    unassigned: {
      owner: plan.grain.groupBy.has('owner') ? toExportSums(totals.unassigned.owner) : null,
      service: plan.grain.groupBy.has('service') ? toExportSums(totals.unassigned.service) : null,
    },
    excluded: exclusionReasons.flatMap((reason) => {
      const reasonTotals = excluded.get(reason);
      if (reasonTotals === undefined) return [];
      const reasonSums = toExportSums(reasonTotals);
      return [{ reason, ...reasonSums, cost_usd: reason === 'unpriced' ? null : reasonSums.cost_usd }];
    }),
    ledger: toExportSums(ledger),
    billing_periods: [...input.periods],
    ...(corrected.size > 0 && { corrections: correctionsOf(corrected) }),
    ...(idle.cost + idle.energy > 0n && { idle_nodes: toExportSums(idle) }),
    cohorts: {
      minimum: COHORT_MINIMUM,
      folded_groups: folded.groups,
      folded_cost_usd: formatFixedPoint(folded.cost),
    },
  };
};
