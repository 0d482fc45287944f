import pMap from 'p-map';
import * as z from 'zod';
import type { CostExplanation } from '../../../../schemas/attribution/costExplanation.ts';
import { BUSY_MEASURES, USE_MEASURES } from '../../../../schemas/attribution/nodeHours.ts';
import type { NodePool, NodePools } from '../../../../schemas/attribution/nodePools.ts';
import type { CostUnknown } from '../../../../schemas/attribution/unknownCost.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { parseFixedPoint, StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { JobOf } from '../../../../schemas/jobs.ts';
import {
  type CallUse,
  nodeHourCost,
  poolFinder,
  rateAt,
  unmeasured,
  useOf,
} from '../../../impact/price/nodePools.ts';
import { type ModelIdentity, modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import type { LedgerReader, Version } from '../../../ledger/records/ledger.store.ts';
import { UNNAMED_PROVENANCE } from '../../../ledger/records/provenance.ts';
import { listRecords } from '../../../ledger/records/query/listRecords.ts';
import { toInvocationEvent } from '../../../ledger/records/storedEvent.ts';
import type { MarkDirty } from '../../../ledger/rollups/marks/markDirty.ts';
import { withProgress } from '../../../platform/jobs/job.ts';
import type { Stepper, StepResult } from '../../../platform/jobs/jobRunner.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { Revise } from '../../engine/revise.ts';
import type { AllocationWork } from '../allocationJob.ts';
import { dividedRecord } from './dividedRecord.ts';
import { addCall, divideHour, type HourSums, highestOf, lineOf, noSums, shareOf } from './divideHour.ts';
import type { NodeHourLineWriter } from './nodeHourLine.store.ts';
import { nodePoolsVersion } from './nodePoolsVersion.ts';

/** Records examined per step. */
const STEP_RECORDS = 500;
/** Credentials of which a job knows what their calls pay. Its progress is one row. */
const CREDENTIALS_KEPT = 100;
/** Records revised in parallel. */
const CONCURRENCY = 8;
/** An hour into which calls come all the time is divided again when its totals have changed, as any other. */
const RESTARTS_MAXIMUM = 3;

const StoredSums = z.record(
  z.string(),
  z.object({
    calls: z.int(),
    withoutTokens: z.int(),
    withoutDuration: z.int(),
    tokens: z.array(StoredFixedPoint).readonly(),
    seconds: StoredFixedPoint,
    running: z.array(z.int()),
  }),
);

const StoredDivision = z.object({
  cost: StoredFixedPoint,
  charged: StoredFixedPoint,
  energy: z.object({ whole: StoredFixedPoint, charged: StoredFixedPoint }).nullable(),
  busy: z.enum(BUSY_MEASURES),
  measure: z.enum(USE_MEASURES),
  wholes: z.array(StoredFixedPoint).readonly(),
  calls: z.int(),
  unmeasured: z.int(),
  /** The calls that have their share, and their use. */
  shared: z.int(),
  upTo: StoredFixedPoint,
  byCredential: z.record(z.string(), z.object({ calls: z.int(), charged: StoredFixedPoint })),
});

/**
 * Progress of a job, which has two passes over the calls of an hour, as of one instant: `divisions` is null while their use is
 * summed, and set by pool while each gets its share.
 */
const NodeHourCursor = z.object({
  /** A job that finds other pools begins anew. */
  pools: z.string(),
  after: z.string().nullable(),
  /** Key of the object with the sums so far. */
  sums: z.string().nullable(),
  divisions: z.record(z.string(), StoredDivision).nullable(),
  /** How often calls came between the passes, so that the job began anew. */
  restarts: z.int(),
});
type NodeHourCursor = z.infer<typeof NodeHourCursor>;

const BEGINNING = { after: null, sums: null, divisions: null, restarts: 0 } as const;

/** A call that ran on a pool. */
interface PooledCall {
  readonly event: InvocationEvent;
  readonly pool: NodePool;
  readonly use: CallUse;
  readonly at: number;
  readonly identity: ModelIdentity;
}

/** Finds out on which pool a recorded call ran. Null for a span that has no cost of its own, too. */
const pooledCallFinder = (pools: NodePools) => {
  const findPool = poolFinder(pools);
  return ({ record, explanation, storedEvent }: Attribution): PooledCall | null => {
    if (explanation.cost?.source === 'structure') return null;
    const at = Date.parse(record.occurred_at);
    const event = toInvocationEvent(record, storedEvent);
    const pool = findPool(event, at);
    if (pool === null) return null;
    const identity = modelIdentity(event.provider, event.served_model ?? event.requested_model);
    return { event, pool, use: useOf(event, identity), at, identity };
  };
};

/**
 * Divides the cost of own nodes in an hour over its calls, as new versions of their records, and stores what is idle. A second
 * run over an hour uses what is recorded by then. If nothing has changed, it changes nothing.
 */
export const nodeHourStepper = (deps: {
  readonly ledger: LedgerReader;
  readonly revise: Revise;
  readonly tenant: Tenant;
  readonly pools: NodePools;
  readonly lines: NodeHourLineWriter;
  readonly mark: MarkDirty;
  readonly work: AllocationWork;
}): Stepper<JobOf<'node_hours'>> => {
  const { ledger, revise, tenant, pools, lines, mark, work } = deps;
  const version = nodePoolsVersion(pools);
  const pooledCallOf = pooledCallFinder(pools);

  const readSums = async (key: string | null): Promise<Map<string, HourSums>> =>
    new Map(key === null ? [] : Object.entries(StoredSums.parse(JSON.parse(await work.get(key)))));

  return async (job): Promise<StepResult<JobOf<'node_hours'>>> => {
    const hour = Date.parse(job.request.hour);
    const stored = job.cursor === null ? null : NodeHourCursor.parse(JSON.parse(job.cursor));
    const cursor: NodeHourCursor = stored?.pools === version ? stored : { ...BEGINNING, pools: version };
    const { items, resume } = await listRecords(ledger, {
      tenant,
      period: { from: hour, to: hour + HOUR_MS },
      descending: false,
      after: cursor.after ?? undefined,
      residency: null,
      asOf: Date.parse(job.as_of),
      limit: STEP_RECORDS,
    });
    const calls = items.flatMap((item) => {
      const call = pooledCallOf(item.attribution);
      return call === null ? [] : [{ item, ...call }];
    });
    const advance = (next: NodeHourCursor, changed: number) =>
      withProgress(job, {
        examined: items.length,
        changed,
        cursor: JSON.stringify(NodeHourCursor.encode(next)),
      });

    if (cursor.divisions === null) {
      const sums = await readSums(cursor.sums);
      for (const { pool, use, at } of calls) {
        const own = sums.get(pool.name) ?? noSums();
        addCall(own, pool, use, at - hour);
        sums.set(pool.name, own);
      }
      if (resume === null) {
        const divisions = pools.flatMap((pool) => {
          const rate = rateAt(pool, hour);
          if (rate === null) return [];
          return [
            [
              pool.name,
              { ...divideHour(rate, sums.get(pool.name) ?? noSums()), shared: 0, upTo: 0n, byCredential: {} },
            ] as const,
          ];
        });
        const next = { ...cursor, after: null, sums: null, divisions: Object.fromEntries(divisions) };
        return { job: advance(next, 0), isDone: false };
      }
      // A step that is repeated writes the same sums again.
      const key = `node-hours/${job.job_id}/${job.progress.examined}`;
      await work.put(key, JSON.stringify(StoredSums.encode(Object.fromEntries(sums))));
      return { job: advance({ ...cursor, after: resume, sums: key }, 0), isDone: false };
    }

    const divisions = structuredClone(cursor.divisions);
    const chosen: {
      readonly item: Version;
      readonly call: PooledCall;
      readonly cost: CostExplanation | CostUnknown;
    }[] = [];
    for (const { item, ...call } of calls) {
      const { event, pool, use } = call;
      const division = divisions[pool.name];
      if (division === undefined) continue;
      const { divided, upTo } = shareOf(division, { pool, hour }, use, division.upTo);
      division.upTo = upTo;
      division.shared += 1;
      // A call of a release that stored no credential.
      const { stated_by: statedBy } = item.attribution.storedEvent;
      const by = statedBy?.id ?? UNNAMED_PROVENANCE.id;
      const known = division.byCredential[by] ?? { calls: 0, charged: 0n };
      division.byCredential[by] = {
        calls: known.calls + 1,
        charged: known.charged + parseFixedPoint(divided?.usd ?? '0'),
      };
      chosen.push({
        ...{ item, call },
        cost: divided === null ? unmeasured(use) : nodeHourCost(event, divided),
      });
    }
    for (const division of Object.values(divisions))
      division.byCredential = highestOf(division.byCredential, CREDENTIALS_KEPT);
    const outcomes = await pMap(
      chosen,
      ({ item: { attribution }, call, cost }) => {
        // For most records of a second run, the listed version shows that nothing changes. This saves a second read.
        if (dividedRecord(attribution, cost, call, 0) === null) return 'unchanged';
        const by = { claim: job.job_id, attempt: 1 };
        return revise(tenant, ulidInId(attribution.record.id), by, (current, startsAt) => {
          const now = pooledCallOf(current);
          return now === null ? null : dividedRecord(current, cost, now, startsAt());
        });
      },
      { concurrency: CONCURRENCY },
    );
    await mark(
      tenant.tenant_id,
      chosen.map(({ item }) => Date.parse(item.attribution.record.occurred_at)),
    );
    const changed = outcomes.filter((outcome) => outcome === 'revised').length;
    // A list shows every record that exists, also one that was written after the first pass.
    const isOther = Object.values(divisions).some(({ shared, calls }) => shared !== calls);
    if (resume === null && isOther && cursor.restarts < RESTARTS_MAXIMUM) {
      const next = { ...BEGINNING, pools: version, restarts: cursor.restarts + 1 };
      return { job: advance(next, changed), isDone: false };
    }
    if (resume === null) {
      for (const [pool, division] of Object.entries(divisions))
        await lines.put(tenant.tenant_id, lineOf(division, pool, hour, Date.parse(job.as_of)));
    }
    return { job: advance({ ...cursor, after: resume, divisions }, changed), isDone: resume === null };
  };
};
