import pMap from 'p-map';
import type { FieldError } from '../../../../schemas/problems.ts';
import {
  postEvents,
  type SignalResult,
  type SignalsAccepted,
} from '../../../../schemas/routes/insight/signals.ts';
import { checkEvent } from '../../../ingest/events/checkEvent.ts';
import { findContentPaths } from '../../../ingest/events/contentScrubber.ts';
import { enqueueEvents } from '../../../ingest/events/enqueueEvents.ts';
import {
  eventOfCloudEvent,
  INFERENCE_EVENT_TYPE,
  isInferenceCloudEvent,
} from '../../../ingest/formats/cloudEvent.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { homeLane } from '../../../platform/tenancy/tenant.ts';
import { reportConnector } from '../connectorHealth.ts';
import { memberOf, parseSignal, type SignalParseResult } from './parseSignal.ts';
import { summarizeSignals } from './summarizeSignals.ts';

/** Writes under way at once. */
const CONCURRENCY = 32;
/** Maximum reported errors of one event, so that a batch of 1,000 fits into the 6 MB of a Lambda response. */
const ERRORS_MAXIMUM = 10;
const NAME_LENGTH = 256;

const readName = (sent: unknown, member: string): string | null => {
  const value = memberOf(sent, member);
  return typeof value === 'string' ? value.slice(0, NAME_LENGTH) : null;
};

const toResult = (sent: unknown, { signal, errors }: SignalParseResult, index: number): SignalResult =>
  signal === null
    ? {
        index,
        source: readName(sent, 'source'),
        id: readName(sent, 'id'),
        status: 'rejected',
        errors: errors.slice(0, ERRORS_MAXIMUM),
      }
    : {
        index,
        source: signal.source,
        id: signal.id,
        status: 'accepted',
        scrubbed: findContentPaths(sent),
      };

/** The path of an error in the event that the data of a CloudEvent holds. */
const inData = (error: FieldError): FieldError => ({ ...error, pointer: `/data${error.pointer ?? ''}` });

export default operation(postEvents, async ({ body, caller, receivedAt, stores }) => {
  const { tenant, residency } = caller;
  const { tenant_id: tenantId } = tenant;
  const sent: readonly unknown[] = Array.isArray(body) ? body : [body];
  const calls: string[] = [];
  const parsed = sent.map((one) => {
    const signal = parseSignal(one, tenantId, receivedAt);
    if (signal.errors !== null || !isInferenceCloudEvent(one)) return signal;
    const { event, errors } = checkEvent(eventOfCloudEvent(one, toIso(receivedAt)), receivedAt);
    if (event === null) return { signal: null, errors: errors.map(inData) };
    calls.push(JSON.stringify(event));
    return signal;
  });
  const [only] = parsed;
  if (!Array.isArray(body) && only !== undefined && only.errors !== null) {
    const { errors } = only;
    throw new ProblemError('VALIDATION_FAILED', 'The event does not match its schema.', { errors });
  }
  const accepted = parsed.flatMap(({ signal }) => signal ?? []);
  // The calls are recorded. They are no signals.
  const signals = accepted.filter(({ type }) => type !== INFERENCE_EVENT_TYPE);
  const results = parsed.map((verdict, index) => toResult(sent[index], verdict, index));

  if (calls.length > 0) {
    await enqueueEvents(stores, { caller, receivedAt, events: calls, droppedMembers: 0 });
  }
  const insertions = await pMap(
    signals,
    async (signal) => ({ signal, outcome: await stores.signals.insert(tenantId, signal, receivedAt) }),
    { concurrency: CONCURRENCY },
  );
  // The effects of duplicates are repeated: the call that stored the event may have crashed before applying them.
  const effective = insertions.flatMap(({ signal, outcome }) => (outcome === 'other' ? [] : signal));
  const { found, reported } = summarizeSignals(effective, residency ?? homeLane(tenant));
  const { discovery } = stores;
  await pMap(found, (one) => discovery.recordDiscovery(tenantId, one), { concurrency: CONCURRENCY });
  await pMap(reported, (one) => reportConnector(stores, tenant, one, receivedAt), {
    concurrency: CONCURRENCY,
  });
  for (const { signal, outcome } of insertions) {
    if (outcome === 'new') stores.counters.note(tenantId, `signals_${signal.kind}`);
  }

  const dropped = results.flatMap((result) => (result.status === 'accepted' ? result.scrubbed : []));
  stores.counters.note(tenantId, 'dropped_members', dropped.length);
  await stores.counters.flush();
  const response: SignalsAccepted = {
    accepted: accepted.length,
    rejected: results.length - accepted.length,
    results,
  };
  return reply(202, response);
});
