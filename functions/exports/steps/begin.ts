import * as z from 'zod';
import type { RollupReader } from '../../rollups/rollup.store.ts';
import { commit } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import type { TenantReader } from '../../tenancy/tenant.store.ts';
import type { WorkStore } from '../files/file.store.ts';
import { ExportRef, type ExportStore } from '../job/export.store.ts';
import { markRunning } from '../job/job.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import type { GatherInput } from './gather.ts';
import { planPartitions } from './partitions.ts';
import { ExecutionPlan, workPrefix, writeWork } from './workDocuments.ts';

export const BeginInput = ExportRef.extend({ execution: z.string() });
type BeginInput = z.infer<typeof BeginInput>;

export interface BeginOutput {
  /** False where there is nothing to do: it was cancelled, has ended, or another execution works on it. */
  readonly claimed: boolean;
  readonly plan: string;
  readonly pieces: readonly GatherInput[];
}

const NOTHING: BeginOutput = { claimed: false, plan: '', pieces: [] };

/**
 * Takes an export over for an execution, and parts its period into pieces. Run again by the same execution it begins
 * anew, with a plan of another name: what an earlier try left is never read. Throws where the tenant is gone.
 */
export const begin =
  (deps: {
    readonly exports: ExportStore;
    readonly tenants: Pick<TenantReader, 'tenant'>;
    readonly rollups: RollupReader;
    readonly work: WorkStore;
    readonly clock: Clock;
    /** Names each try of a step, uniquely. */
    readonly attempt: () => string;
  }) =>
  async ({ execution, ...name }: BeginInput): Promise<BeginOutput> => {
    const { exports, tenants, rollups, work, clock, attempt } = deps;
    const found = await exports.find(name);
    const job = found === null ? null : markRunning(found.document, execution, clock());
    if (found === null || job === null) return NOTHING;
    const tenant = await tenants.tenant(name.tenant_id);
    if (tenant === null) throw new Error('the tenant of an export is gone');
    const pieces = await planPartitions(rollups, tenant.tenant_id, exportPeriodOf(job.request));
    const by = { claim: attempt(), attempt: 1 };
    const counted = { ...job, steps: { done: 0, total: pieces.length } };
    // Cancelled meanwhile, or taken over by another try: the next try of this step sees which.
    if (!(await commit(exports.change(counted, found.revision, by))))
      throw new Error('an export was changed');
    const plan: ExecutionPlan = { job, tenant, pieces: [...pieces] };
    const key = `${workPrefix(plan)}/plan-${by.claim}.json`;
    await writeWork(work, key, ExecutionPlan, plan);
    return {
      claimed: true,
      plan: key,
      pieces: pieces.map((_, piece) => ({
        plan: key,
        piece,
        parts: [],
        position: { shard: 0, after: null },
      })),
    };
  };
