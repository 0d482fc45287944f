import * as z from 'zod';
import { StoredExport } from '../../../schemas/exports.ts';
import { Tenant } from '../../tenancy/tenant.ts';
import { StoredSummary } from '../aggregation/aggregator.ts';
import { StoredFixedPoint } from '../aggregation/fixedPoint.ts';
import { StoredRowTotals } from '../aggregation/rowTotals.ts';
import { SortedRun } from '../aggregation/sortedRuns.ts';
import type { WorkStore } from '../files/file.store.ts';
import { buildOutputPlan, type OutputPlan } from '../request/outputPlan.ts';

/** What an export is, written down when it begins: later changes of its tenant change nothing of it. */
export const ExecutionPlan = z.object({
  job: StoredExport.pick({
    job_id: true,
    request: true,
    residency: true,
    as_of: true,
    created_at: true,
  }),
  tenant: Tenant.pick({ tenant_id: true, name: true, tag: true, shards: true }),
  pieces: z.array(z.object({ month: z.string(), from: z.int(), to: z.int() })),
});
export type ExecutionPlan = z.infer<typeof ExecutionPlan>;

/** What one call of the gathering step left. */
export const PartialAggregate = z.object({ summary: StoredSummary, runs: z.array(SortedRun) });

/** What was gathered of a piece, by the keys of its parts. */
export const AggregatedPartition = z.object({ parts: z.array(z.string()) });

/** A stretch of one month that one step writes; files are numbered from `first` on. */
export const StoredWriteRange = z.object({
  month: z.string(),
  from: z.int(),
  to: z.int(),
  first: z.int(),
  runs: z.array(SortedRun),
  /** Where the month's folding is. */
  folding: z.string(),
});

/** What all months came to together, and what is left to write. */
export const MergeResult = z.object({
  plan: z.string(),
  /** Of all months, without their cohorts. */
  summary: StoredSummary,
  foldings: z.array(z.object({ groups: z.int(), cost: StoredFixedPoint })),
  /** Keys of the stretches. */
  stretches: z.array(z.string()),
});

/** What one writing step delivered. */
export const WrittenRange = z.object({
  month: z.string(),
  first: z.int(),
  files: z.array(z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() })),
  totals: StoredRowTotals,
});

/** A document of this shape that an earlier step left. */
export const readWork = async <Shape extends z.ZodType>(
  work: WorkStore,
  key: string,
  shape: Shape,
): Promise<z.output<Shape>> => shape.parse(JSON.parse(await work.get(key)));

/** Leaves a document for a later step. */
export const writeWork = <Shape extends z.ZodType>(
  work: WorkStore,
  key: string,
  shape: Shape,
  document: z.output<Shape>,
): Promise<void> => work.put(key, JSON.stringify(shape.encode(document)));

/** The beginning of all keys of an export. */
export const workPrefix = ({ tenant, job }: ExecutionPlan): string => `${tenant.tenant_id}/${job.job_id}`;

/** Everything that decides what its files look like. A chargeback is issued in the tenant's own name. */
export const outputPlanOf = ({ tenant, job }: ExecutionPlan): OutputPlan =>
  buildOutputPlan(job.request, { tenant, lane: job.residency, issuer: tenant.name });
