import * as z from 'zod';
import { StoredExport } from '../../../schemas/exports.ts';
import { Tenant } from '../../tenancy/tenant.ts';
import { StoredSummary } from '../aggregation/gathering.ts';
import { StoredPico } from '../aggregation/pico.ts';
import { Run } from '../aggregation/runs.ts';
import { StoredTotals } from '../aggregation/totals.ts';
import type { WorkStore } from '../files/file.store.ts';
import { type ExportPlan, planOf } from '../request/plan.ts';

/** What an export is, written down when it begins: later changes of its tenant change nothing of it. */
export const Plan = z.object({
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
export type Plan = z.infer<typeof Plan>;

/** What one call of the gathering step left. */
export const Part = z.object({ summary: StoredSummary, runs: z.array(Run) });

/** What was gathered of a piece, by the keys of its parts. */
export const Gathered = z.object({ parts: z.array(z.string()) });

/** A stretch of one month that one step writes; files are numbered from `first` on. */
export const StretchToWrite = z.object({
  month: z.string(),
  from: z.int(),
  to: z.int(),
  first: z.int(),
  runs: z.array(Run),
  /** Where the month's folding is. */
  folding: z.string(),
});

/** What all months came to together, and what is left to write. */
export const United = z.object({
  plan: z.string(),
  /** Of all months, without their cohorts. */
  summary: StoredSummary,
  foldings: z.array(z.object({ groups: z.int(), cost: StoredPico })),
  /** Keys of the stretches. */
  stretches: z.array(z.string()),
});

/** What one writing step delivered. */
export const Written = z.object({
  month: z.string(),
  first: z.int(),
  files: z.array(z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() })),
  totals: StoredTotals,
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
export const folderOf = ({ tenant, job }: Plan): string => `${tenant.tenant_id}/${job.job_id}`;

/** Everything that decides what its files look like. A chargeback is issued in the tenant's own name. */
export const exportPlanOf = ({ tenant, job }: Plan): ExportPlan =>
  planOf(job.request, { tenant, lane: job.residency, issuer: tenant.name });
