import {
  type CostMode,
  type ExportFile,
  type ExportManifest,
  type ExportRequest,
  exclusionReasons,
} from '../../../schemas/focus.ts';
import { COHORT_MINIMUM } from '../../../schemas/reports.ts';
import { fromPico } from '../../shared/largestRemainder.ts';
import type { Folding } from '../aggregation/folding.ts';
import type { Summary } from '../aggregation/gathering.ts';
import { addTallies, isSame, nothing, sumsOf, type Tally } from '../aggregation/tally.ts';
import type { RowTotals } from '../aggregation/totals.ts';
import { ExportError } from '../job/exportError.ts';
import { exportPeriodOf } from '../request/bounds.ts';
import type { ExportPlan } from '../request/plan.ts';
import { datasetInstanceIdOf, GENERATOR, GENERATOR_VERSION, schemaIdOf } from './metadata.ts';

const NOTES: Readonly<Record<CostMode, string>> = {
  chargeback:
    'An internal bill. The same usage is billed by the vendors: do not add these costs to those of their files.',
  showback:
    'BilledCost and EffectiveCost are zero, since the vendors bill this usage: beside their files nothing is counted twice. The cost stands in ListCost and ContractedCost.',
};

/** What an export was made of and what came of it. Instants are epoch milliseconds. */
export interface Outcome {
  readonly exportId: string;
  readonly request: ExportRequest;
  readonly plan: ExportPlan;
  /** Of all records of all months. */
  readonly summary: Pick<Summary, 'ledger' | 'excluded'>;
  /** One for each month. */
  readonly foldings: readonly Pick<Folding, 'groups' | 'cost'>[];
  readonly totals: RowTotals;
  readonly files: readonly ExportFile[];
  readonly asOf: number;
  readonly createdAt: number;
  readonly finishedAt: number;
}

/** Nothing is told of other lanes but that they are left out. */
const withinLane = ({ summary, plan }: Outcome): Pick<Summary, 'ledger' | 'excluded'> => {
  const elsewhere = summary.excluded.get('residency_excluded');
  if (plan.admission.lane === null || elsewhere === undefined) return summary;
  const excluded = new Map(summary.excluded);
  excluded.delete('residency_excluded');
  const { ledger } = summary;
  return {
    excluded,
    ledger: {
      records: ledger.records - elsewhere.records,
      cost: ledger.cost - elsewhere.cost,
      energy: ledger.energy - elsewhere.energy,
      carbon: ledger.carbon - elsewhere.carbon,
    },
  };
};

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/**
 * The manifest of an export. Throws an ExportError where rows and exclusions do not sum to the ledger, or where the files hold
 * other rows than were counted: such an export must not be delivered.
 */
export const manifestOf = (outcome: Outcome): ExportManifest => {
  const { request, plan, totals, files, foldings } = outcome;
  const { ledger, excluded } = withinLane(outcome);
  const left = [...excluded.values()].reduce(addTallies, nothing);
  const written: Tally = { ...totals.sum, records: ledger.records - left.records };
  if (!isSame(addTallies(written, left), ledger))
    throw new ExportError('inconsistent', 'an export does not sum to its ledger');
  const rowCount = files.reduce((sum, { rows }) => sum + rows, 0);
  if (rowCount !== totals.rows) {
    throw new ExportError('inconsistent', 'the files of an export hold other rows than were counted');
  }
  const { mode, tenantId } = plan.biller;
  const { from, to } = exportPeriodOf(request);
  const { cost_usd: cost, ...sums } = sumsOf(written);
  const billed = mode === 'chargeback' ? cost : '0';
  return {
    export_id: outcome.exportId,
    tenant_id: tenantId,
    generator: { name: GENERATOR, version: GENERATOR_VERSION },
    focus_version: plan.version,
    importer: request.importer ?? null,
    dataset_instance_id: datasetInstanceIdOf({ tenantId, mode, lane: plan.admission.lane }),
    schema_id: schemaIdOf(plan.version, plan.columns),
    period: { from: iso(from), to: iso(to) },
    granularity: request.granularity,
    group_by: request.group_by,
    residency: plan.admission.lane,
    cost_mode: mode,
    file_format: request.file_format,
    delivery: 'Overwrite',
    correction_style: 'Replacement',
    double_counting_note: NOTES[mode],
    as_of: iso(outcome.asOf),
    data_available_through: iso(Math.min(to, outcome.asOf)),
    created_at: iso(outcome.createdAt),
    finished_at: iso(outcome.finishedAt),
    columns: [...plan.headers],
    row_count: rowCount,
    files: [...files],
    totals: {
      costs: [
        {
          currency: 'USD',
          billed_cost: billed,
          effective_cost: billed,
          list_cost: cost,
          contracted_cost: cost,
        },
      ],
      consumed: [...totals.consumed],
      ...sums,
    },
    excluded: exclusionReasons.flatMap((reason) => {
      const tally = excluded.get(reason);
      return tally === undefined ? [] : [{ reason, ...sumsOf(tally) }];
    }),
    ledger: sumsOf(ledger),
    cohorts: {
      minimum: COHORT_MINIMUM,
      folded_groups: foldings.reduce((sum, { groups }) => sum + groups, 0),
      folded_cost_usd: fromPico(foldings.reduce((sum, { cost: folded }) => sum + folded, 0n)),
    },
  };
};
