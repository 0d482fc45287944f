import * as z from 'zod';
import type { ExportBasis } from '../../../../schemas/chargeback/exports.ts';
import type { ClosingReader } from '../../../insight/periods/closing.store.ts';
import { readPeriodStatuses } from '../../../insight/periods/periodStatus.ts';
import type { IndexLag } from '../../../ledger/freshness/indexLag.ts';
import { UNKNOWN } from '../../../ledger/freshness/totalsLag.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { TenantReader } from '../../../platform/tenancy/tenant.store.ts';
import { markedName } from '../../../platform/tenancy/tenant.ts';
import { type PlanStores, planBooks } from '../books/planBooks.ts';
import type { WorkStore } from '../files/file.store.ts';
import { ExportRef, type ExportStore } from '../job/export.store.ts';
import { markRunning } from '../job/job.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import { writeCohorts } from './cohortDocuments.ts';
import type { GatherInput } from './gather.ts';
import { ExecutionPlan, workPrefix, writeWork } from './workDocuments.ts';

export const BeginInput = ExportRef.extend({ execution: z.string() });
type BeginInput = z.infer<typeof BeginInput>;

export interface BeginOutput {
  /** False when there is nothing to do: the export was cancelled, has ended, or belongs to another execution. */
  readonly claimed: boolean;
  readonly plan: string;
  readonly partitions: readonly GatherInput[];
}

const NOT_CLAIMED: BeginOutput = { claimed: false, plan: '', partitions: [] };

/**
 * How far an export is behind. One of records reads the ledger, which only lacks calls that are not recorded yet, but names
 * records only up to when the totals are complete. Throws an Error when that is not known, so that the step is repeated.
 */
const lagOf = async (
  indexLag: IndexLag,
  tenantId: string,
  basis: ExportBasis,
): Promise<Pick<ExecutionPlan, 'lag' | 'namedUntil'>> => {
  const totals = await indexLag.totalsLag(tenantId);
  if (basis === 'cohorts') return { lag: totals, namedUntil: null };
  if (totals.incompleteSince === UNKNOWN)
    throw new Error('It is not known up to when the totals are complete.');
  const isStale = await indexLag.areRecordsStale(tenantId);
  return { lag: { isStale, incompleteSince: null }, namedUntil: totals.incompleteSince };
};

/**
 * Claims an export for an execution and splits its period into partitions. A retry by the same execution starts over
 * under a new plan key, so the output of an earlier attempt is never read. Throws an Error when the tenant does not
 * exist or when the export changed during the write.
 */
export const begin =
  (
    deps: PlanStores & {
      readonly exports: ExportStore;
      readonly tenants: Pick<TenantReader, 'tenant'>;
      readonly closings: ClosingReader;
      readonly indexLag: IndexLag;
      readonly work: WorkStore;
      readonly clock: Clock;
      /** Returns a unique id for each attempt of a step. */
      readonly attempt: () => string;
    },
  ) =>
  async ({ execution, ...name }: BeginInput): Promise<BeginOutput> => {
    const { exports, tenants, rollups, indexLag, work, clock, attempt } = deps;
    const current = await exports.find(name);
    const job = current === null ? null : markRunning(current.document, execution, clock());
    if (current === null || job === null) return NOT_CLAIMED;
    const tenant = await tenants.tenant(name.tenant_id);
    if (tenant === null) throw new Error('The tenant of the export does not exist.');
    const period = exportPeriodOf(job.request);
    // A close after the request does not change what was asked for.
    const closings = (await deps.closings.list(tenant.tenant_id)).filter(
      ({ closed_at }) => closed_at <= job.created_at,
    );
    const asOf = Date.parse(job.as_of);
    const partitions = await planBooks(deps, tenant.tenant_id, closings, { basis: job.basis, period, asOf });
    const periodStores = { ...deps, closings: { list: async () => closings } };
    const revision = { claim: attempt(), attempt: 1 };
    const periods = await readPeriodStatuses(periodStores, tenant.tenant_id, period, job.residency);
    const jobWithProgress = {
      ...job,
      billing_periods: periods,
      steps: { done: 0, total: partitions.length },
    };
    // The export was cancelled or another attempt claimed it. The retry of this step reads the new state.
    if (!(await commit(exports.change(jobWithProgress, current.revision, revision))))
      throw new Error('The export changed during the write.');
    const plan: ExecutionPlan = {
      job,
      tenant: { ...tenant, name: markedName(tenant) },
      partitions: [...partitions],
      periods,
      ...(await lagOf(indexLag, name.tenant_id, job.basis)),
    };
    const key = `${workPrefix(plan)}/plan-${revision.claim}.json`;
    if (job.basis === 'records') await writeCohorts(rollups, work, key, plan);
    await writeWork(work, key, ExecutionPlan, plan);
    return {
      claimed: true,
      plan: key,
      partitions: partitions.map((_, partition) => ({
        plan: key,
        partition,
        parts: [],
        position: { shard: 0, after: null },
      })),
    };
  };
