import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { ReportProgress } from '../../ledger/freshness/progress.ts';
import { type Provenance, provenanceOf } from '../../ledger/records/provenance.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { type Counts, packMessages } from './acceptedMessage.ts';
import type { AcceptedQueue } from './acceptedQueue.aws.ts';
import { type CheckedEvent, checkEvent, foreignTenantErrors } from './checkEvent.ts';
import { addCounts, countsOf } from './eventCounts.ts';

export interface IntakeStores {
  readonly accepted: AcceptedQueue;
  readonly reportProgress: ReportProgress;
}

export interface Intake {
  readonly caller: Pick<Caller, 'tenant' | 'residency' | 'kind' | 'principal' | 'connector'>;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** What the request adds to the counters besides what its events do. */
  readonly counts?: Counts;
  /** The record of the only event, if its dedup claim is written. */
  readonly claimed?: string | undefined;
}

/** Events of one tenant, with who states them. */
interface Statement extends Omit<Intake, 'caller'> {
  readonly tenant: Tenant;
  readonly residency: string | null;
  readonly statedBy: Provenance;
}

/** Resolves when all events are in the durable queue. The worker does not check them again. */
export const enqueueEvents = async (
  { accepted, reportProgress }: IntakeStores,
  events: readonly InvocationEvent[],
  { tenant, residency, statedBy, receivedAt, counts = new Map(), claimed }: Statement,
): Promise<void> => {
  if (events.length === 0 && counts.size === 0) return;
  const bodies = packMessages(
    {
      tenant_id: tenant.tenant_id,
      stated_by: statedBy,
      received_at: receivedAt,
      residency,
      ...(claimed !== undefined && { claimed }),
    },
    events.map((event) => JSON.stringify(event)),
    counts,
  );
  if (events.length === 0) {
    // Nothing was accepted, so a queue that fails must not turn the answer, often a refusal, into an outage.
    await accepted.send(tenant.tenant_id, bodies).catch((error: unknown) => {
      log({ level: 'warn', message: 'counts of refused events were not sent', ...describeError(error) });
    });
    return;
  }
  await Promise.all([
    accepted.send(tenant.tenant_id, bodies),
    reportProgress(tenant.tenant_id, 'accepted', receivedAt),
  ]);
  measure('accepted', events.length);
};

/** A connector observes calls where the tenant registered it, whatever its events say. The pathway follows from the layer. */
const inRegisteredLayer = (event: InvocationEvent, { connector }: Intake['caller']): InvocationEvent => {
  if (connector === undefined) return event;
  const { pathway_category: _stated, ...stated } = event;
  return { ...stated, ingestion_layer: connector.layer };
};

/** What becomes of each event that was sent, in the order of `sent`. */
export const checkSent = (
  sent: readonly unknown[],
  { caller, receivedAt }: Pick<Intake, 'caller' | 'receivedAt'>,
): CheckedEvent[] =>
  sent.map((one) => {
    const errors = foreignTenantErrors(one, caller.tenant.tenant_id);
    return errors.length > 0 ? { sent: one, event: null, errors } : checkEvent(one, receivedAt);
  });

/** Queues the valid ones of checked events, and counts all. */
export const acceptChecked = (
  stores: IntakeStores,
  checked: readonly CheckedEvent[],
  { caller, receivedAt, counts = new Map(), claimed }: Intake,
): Promise<void> =>
  enqueueEvents(
    stores,
    checked.flatMap(({ event }) => (event === null ? [] : inRegisteredLayer(event, caller))),
    {
      tenant: caller.tenant,
      residency: caller.residency,
      statedBy: provenanceOf(caller),
      receivedAt,
      counts: addCounts(counts, countsOf(checked, caller.principal)),
      claimed,
    },
  );

/**
 * The one way in over HTTP. Each route brings its format into events, and takes its reply from what became of each: the valid
 * ones are in the durable queue, the others have their errors. The order is that of `sent`.
 */
export const acceptEvents = async (
  stores: IntakeStores,
  sent: readonly unknown[],
  intake: Intake,
): Promise<CheckedEvent[]> => {
  const checked = checkSent(sent, intake);
  await acceptChecked(stores, checked, intake);
  return checked;
};
