import pMap from 'p-map';
import * as z from 'zod';
import { AllocationShares } from '../../../schemas/attribution/allocation.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { JobOf } from '../../../schemas/jobs.ts';
import { hasConfirmedOwner } from '../../ledger/records/answers.ts';
import type { LedgerReader, Version } from '../../ledger/records/ledger.store.ts';
import { listRecords } from '../../ledger/records/query/listRecords.ts';
import type { MarkDirty } from '../../ledger/rollups/marks/markDirty.ts';
import { withProgress } from '../../platform/jobs/job.ts';
import type { Stepper, StepResult } from '../../platform/jobs/jobRunner.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { Revise } from '../engine/revise.ts';
import { allocateRecord, isAllocable } from './allocateRecord.ts';
import { addToTotals, computeShares, type ShareTotals } from './shares.ts';

/** Records examined per step. */
const STEP_RECORDS = 500;
/** Records revised in parallel. */
const CONCURRENCY = 8;

/** Lane, owner, cost, energy and carbon. */
const StoredTotals = z.tuple([z.string().nullable(), z.string(), z.string(), z.string(), z.string()]);

/**
 * Progress of a job. Each day has two passes: `shares` is null while the spend is summed, and set while records are
 * allocated. At most 50 owners are named in the shares of a lane, but any number is summed, so the sums are in an object.
 */
const AllocationCursor = z.object({
  day: z.int(),
  after: z.string().nullable(),
  /** Key of the object with the sums so far; null before the first step of a day. */
  totals: z.string().nullable(),
  shares: z.array(z.tuple([z.string().nullable(), AllocationShares])).nullable(),
});
type AllocationCursor = z.infer<typeof AllocationCursor>;

/** Objects that expire within days. */
export interface AllocationWork {
  readonly put: (key: string, text: string) => Promise<void>;
  readonly get: (key: string) => Promise<string>;
}

/** The spend of each residency lane. Its calls are divided over its own owners: another lane's are not shown in it. */
type LaneTotals = Map<string | null, ShareTotals>;

const totalsIn = (lanes: LaneTotals, lane: string | null): ShareTotals => {
  const totals: ShareTotals = lanes.get(lane) ?? new Map();
  lanes.set(lane, totals);
  return totals;
};

const encodeTotals = (lanes: LaneTotals): string =>
  JSON.stringify(
    [...lanes].flatMap(([lane, totals]) =>
      [...totals].map(([owner, { cost_usd, energy_wh, carbon_gco2e }]) => [
        lane,
        owner,
        String(cost_usd),
        String(energy_wh),
        String(carbon_gco2e),
      ]),
    ),
  );

const decodeTotals = (text: string): LaneTotals => {
  const lanes: LaneTotals = new Map();
  for (const [lane, owner, cost, energy, carbon] of z.array(StoredTotals).parse(JSON.parse(text))) {
    const spend = { cost_usd: BigInt(cost), energy_wh: BigInt(energy), carbon_gco2e: BigInt(carbon) };
    totalsIn(lanes, lane).set(owner, spend);
  }
  return lanes;
};

/**
 * Allocates records without an owner. For each day of the period, it sums the attributed spend of each lane from the ledger and
 * then divides every such record of that day and lane in proportion, as a new version. A second run over a day uses the spend known by
 * then. If the shares are the same, nothing changes.
 */
export const allocationStepper = (deps: {
  readonly ledger: LedgerReader;
  readonly revise: Revise;
  readonly tenant: Tenant;
  readonly mark: MarkDirty;
  readonly work: AllocationWork;
}): Stepper<JobOf<'allocation'>> => {
  const { ledger, revise, tenant, mark, work } = deps;
  const { allocation: setting } = tenant;

  return async (job): Promise<StepResult<JobOf<'allocation'>>> => {
    const [from, to] = [Date.parse(job.request.period.from), Date.parse(job.request.period.to)];
    if (setting.method === 'none' || from >= to) return { job, isDone: true };
    const cursor: AllocationCursor =
      job.cursor === null
        ? { day: from, after: null, totals: null, shares: null }
        : AllocationCursor.parse(JSON.parse(job.cursor));
    const end = Math.min(cursor.day + DAY_MS, to);
    const { items, resume } = await listRecords(ledger, {
      tenant,
      period: { from: cursor.day, to: end },
      descending: false,
      after: cursor.after ?? undefined,
      residency: null,
      asOf: Date.parse(job.as_of),
      limit: STEP_RECORDS,
    });
    const advance = (next: AllocationCursor, changed: number) =>
      withProgress(job, { examined: items.length, changed, cursor: JSON.stringify(next) });

    if (cursor.shares === null) {
      const lanes: LaneTotals =
        cursor.totals === null ? new Map() : decodeTotals(await work.get(cursor.totals));
      for (const { attribution } of items) {
        const { record } = attribution;
        if (hasConfirmedOwner(record)) addToTotals(totalsIn(lanes, record.residency), record);
      }
      if (resume === null) {
        const shares = [...lanes].map(([lane, totals]): [string | null, AllocationShares] => [
          lane,
          computeShares(totals, setting),
        ]);
        return { job: advance({ ...cursor, after: null, totals: null, shares }, 0), isDone: false };
      }
      // A step that is repeated writes the same sums again.
      const key = `allocation/${job.job_id}/${job.progress.examined}`;
      await work.put(key, encodeTotals(lanes));
      return { job: advance({ ...cursor, after: resume, totals: key }, 0), isDone: false };
    }

    const sharesByLane = new Map(cursor.shares);
    const sharesOf = (lane: string | null) => sharesByLane.get(lane) ?? computeShares(new Map(), setting);
    const window = { from: toIso(cursor.day), to: toIso(end) };
    const allocateItem = ({ attribution: { record } }: Version) =>
      revise(tenant, ulidInId(record.id), { claim: job.job_id, attempt: 1 }, (current, startsAt) =>
        allocateRecord(current, sharesOf(record.residency), window, startsAt()),
      );
    const chosen = items.filter(({ attribution }) => isAllocable(attribution));
    const outcomes = await pMap(chosen, allocateItem, { concurrency: CONCURRENCY });
    await mark(
      tenant.tenant_id,
      chosen.map(({ attribution }) => Date.parse(attribution.record.occurred_at)),
    );
    const changed = outcomes.filter((outcome) => outcome === 'revised').length;
    const next: AllocationCursor =
      resume === null ? { day: end, after: null, totals: null, shares: null } : { ...cursor, after: resume };
    return { job: advance(next, changed), isDone: resume === null && end >= to };
  };
};
