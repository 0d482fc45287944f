import * as z from 'zod';
import type { RollupReader } from '../../rollups/rollup.store.ts';
import { commit } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import type { TenantReader } from '../../tenancy/tenant.store.ts';
import type { WorkStore } from '../files/file.store.ts';
import { ExportName, type ExportStore } from '../job/export.store.ts';
import { begun } from '../job/job.ts';
import { exportPeriodOf } from '../request/bounds.ts';
import type { GatherInput } from './gather.ts';
import { piecesOf } from './pieces.ts';
import { folderOf, Plan, writeWork } from './work.ts';

export const BeginInput = ExportName.extend({ execution: z.string() });
type BeginInput = z.infer<typeof BeginInput>;

export interface Begun {
  /** False where there is nothing to do: it was cancelled, has ended, or another execution works on it. */
  readonly claimed: boolean;
  readonly plan: string;
  readonly pieces: readonly GatherInput[];
}

const NOTHING: Begun = { claimed: false, plan: '', pieces: [] };

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
  async ({ execution, ...name }: BeginInput): Promise<Begun> => {
    const { exports, tenants, rollups, work, clock, attempt } = deps;
    const found = await exports.find(name);
    const job = found === null ? null : begun(found.document, execution, clock());
    if (found === null || job === null) return NOTHING;
    const tenant = await tenants.tenant(name.tenant_id);
    if (tenant === null) throw new Error('the tenant of an export is gone');
    const pieces = await piecesOf(rollups, tenant.tenant_id, exportPeriodOf(job.request));
    const by = { claim: attempt(), attempt: 1 };
    const counted = { ...job, steps: { done: 0, total: pieces.length } };
    // Cancelled meanwhile, or taken over by another try: the next try of this step sees which.
    if (!(await commit(exports.change(counted, found.revision, by))))
      throw new Error('an export was changed');
    const plan: Plan = { job, tenant, pieces: [...pieces] };
    const key = `${folderOf(plan)}/plan-${by.claim}.json`;
    await writeWork(work, key, Plan, plan);
    return {
      claimed: true,
      plan: key,
      pieces: pieces.map((_, piece) => ({ plan: key, piece, parts: [], place: { shard: 0, after: null } })),
    };
  };
