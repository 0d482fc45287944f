import pMap from 'p-map';
import type { TracePass, TracePassQueue } from '../../../ledger/records/trace/tracePass.aws.ts';
import type { MarkDirty } from '../../../ledger/rollups/marks/markDirty.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from '../attribute.ts';
import type { Revise } from '../revise.ts';
import { traceOpener } from './openTrace.ts';
import { nameResolver } from './trace.ts';
import { traceFollower } from './traceFollower.ts';
import type { TraceScope, TraceStores } from './traceScope.ts';

/** Records compared per step. */
const STEP_RECORDS = 100;
/** Records revised in parallel. */
const CONCURRENCY = 8;
/** Records that one step revises at most besides its own. Others are found in the next round. */
const FOLLOWED_MAXIMUM = 1_000;

/**
 * Compares all records of a trace with their neighbours, in rounds until a round changes nothing. Then every record is
 * consistent with its neighbours, whatever was interrupted before. It does what is too much for the worker of one event.
 */
export const tracePassRunner = (
  deps: TraceStores & {
    readonly revise: Revise;
    readonly mark: MarkDirty;
    readonly queue: Pick<TracePassQueue, 'begin' | 'sendContinuation'>;
    readonly hasTime: () => boolean;
    /** Null when the tenant was deleted. */
    readonly tenantById: (tenantId: string) => Promise<Tenant | null>;
    readonly attributionContext: (tenant: Tenant) => Promise<TenantAttributionContext>;
  },
) => {
  const { queue, mark } = deps;
  const open = traceOpener(deps);
  const { settle, join, follow } = traceFollower(deps);

  /** The pass after one more step; null at its end. */
  const step = async (scope: TraceScope, pass: TracePass): Promise<TracePass | null> => {
    const { spans, next } = await (await open(scope)).view.page(pass.after, STEP_RECORDS);
    const outcomes = await pMap(spans, (span) => settle(scope, span), { concurrency: CONCURRENCY });
    const settled = outcomes.flatMap((outcome) => outcome.settled ?? []);
    const changed = outcomes.flatMap((outcome) => (outcome.isChanged ? (outcome.settled ?? []) : []));
    const repeating = settled.filter(({ span, evidence }) => evidence.repeatsUsage && !span.reportsUsage);
    const joined = await pMap(settled, (one) => join(scope, one), { concurrency: CONCURRENCY });
    // What is left behind a record that changed is found in the next round.
    const starts = [...new Set([...changed, ...repeating])].map((one) => ({ settled: one, isDown: true }));
    await follow(scope, starts, { limit: FOLLOWED_MAXIMUM, isRetry: false });
    await mark(
      scope.tenant.tenant_id,
      spans.map(({ record }) => timeOfUlid(record)),
    );
    const hasChanged = pass.has_changed || changed.length > 0 || joined.includes(true);
    if (next !== null) return { ...pass, after: next, has_changed: hasChanged };
    return hasChanged ? { ...pass, after: null, has_changed: false } : null;
  };

  return async (first: TracePass): Promise<void> => {
    const tenant = await deps.tenantById(first.tenant_id);
    if (tenant === null) return;
    const context = await deps.attributionContext(tenant);
    const trace = { tenantId: first.tenant_id, traceId: first.trace_id, lane: first.lane };
    const scope = { tenant, trace, context, resolveNames: nameResolver(context.mappings) };
    if (first.after === null) await queue.begin(trace);
    let pass: TracePass | null = first;
    while (pass !== null) {
      pass = await step(scope, pass);
      if (pass !== null && !deps.hasTime()) return queue.sendContinuation(pass);
    }
  };
};
