import * as z from 'zod';
import { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { PeriodStatuses } from '../../../../schemas/chargeback/periods.ts';
import { StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { UNKNOWN } from '../../../ledger/freshness/totalsLag.ts';
import { Tenant } from '../../../platform/tenancy/tenant.ts';
import { StoredSummary } from '../aggregation/aggregator.ts';
import { StoredRowTotals } from '../aggregation/rowTotals.ts';
import { BookPart } from '../books/bookPart.ts';
import type { WorkStore } from '../files/file.store.ts';
import { StoredLines } from '../lines/storedLines.ts';
import { buildOutputPlan, type OutputPlan } from '../request/outputPlan.ts';

/** Snapshot of the export and its tenant, taken by the first step. Later changes of the tenant do not affect the export. */
export const ExecutionPlan = z.object({
  job: StoredExport.pick({
    job_id: true,
    request: true,
    residency: true,
    basis: true,
    as_of: true,
    created_at: true,
  }),
  tenant: Tenant.pick({ tenant_id: true, name: true, tag: true, cost_allocation_tags: true }),
  partitions: z.array(z.object({ month: z.string(), from: z.int(), to: z.int(), book: BookPart.optional() })),
  /** The states of the billing periods that the export overlaps. */
  periods: PeriodStatuses.default([]),
  /** How far the exported totals were behind when the export began. */
  lag: z
    .object({ isStale: z.boolean(), incompleteSince: z.union([z.int(), z.literal(UNKNOWN)]).nullable() })
    .default({ isStale: true, incompleteSince: UNKNOWN }),
  /** Records that were written from this instant on are exported without a name, epoch milliseconds; null: none are. */
  namedUntil: z.int().nullable().default(null),
});
export type ExecutionPlan = z.infer<typeof ExecutionPlan>;

/** Output of one call of the gather step. */
export const PartialAggregate = z.object({ summary: StoredSummary, lines: StoredLines });

/** Keys of all partial aggregates of a partition. */
export const AggregatedPartition = z.object({ parts: z.array(z.string()) });

/** A range within one month that one step writes. File numbers start at `first`. */
export const StoredWriteRange = z.object({
  month: z.string(),
  from: z.int(),
  to: z.int(),
  first: z.int(),
  /** Keys of the files of lines. */
  lines: z.array(z.string()),
});

/** Output of the merge step: the totals of all months and the ranges to write. */
export const MergeResult = z.object({
  plan: z.string(),
  /** Sum of all months, without the ids of groups. */
  summary: StoredSummary,
  folded: z.object({ groups: z.int(), cost: StoredFixedPoint }),
  /** Keys of the write ranges. */
  ranges: z.array(z.string()),
});

/** Output of one write step. */
export const WrittenRange = z.object({
  month: z.string(),
  first: z.int(),
  files: z.array(z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() })),
  totals: StoredRowTotals,
});

/** Reads a document that an earlier step wrote. Throws a ZodError when it has another shape. */
export const readWork = async <Shape extends z.ZodType>(
  work: WorkStore,
  key: string,
  shape: Shape,
): Promise<z.output<Shape>> => shape.parse(JSON.parse(await work.get(key)));

/** Writes a document for a later step. */
export const writeWork = <Shape extends z.ZodType>(
  work: WorkStore,
  key: string,
  shape: Shape,
  document: z.output<Shape>,
): Promise<void> => work.put(key, JSON.stringify(shape.encode(document)));

/** Key of the document that lists all partial aggregates of a partition. */
export const aggregatedKey = (plan: string, partition: number): string => `${plan}.partition-${partition}`;

/** Key of the document that a write step leaves. */
export const writtenKey = (merge: string, range: number): string => `${merge}.written-${range}`;

/** Key prefix of all work documents of an export. */
export const workPrefix = ({ tenant, job }: ExecutionPlan): string => `${tenant.tenant_id}/${job.job_id}`;

/** The output plan of an export. The invoice issuer of a chargeback is the tenant. */
export const outputPlanOf = ({ tenant, job }: ExecutionPlan): OutputPlan =>
  buildOutputPlan(job.request, { tenant, lane: job.residency, issuer: tenant.name });
