import pMap from 'p-map';
import type { FieldError } from '../../../../schemas/problems.ts';
import {
  postEvents,
  type SignalResult,
  type SignalsAccepted,
} from '../../../../schemas/routes/insight/signals.ts';
import { acceptEvents } from '../../../ingest/events/acceptEvents.ts';
import { type CheckedEvent, countDropped } from '../../../ingest/events/checkEvent.ts';
import { findContentPaths } from '../../../ingest/events/contentScrubber.ts';
import { ERRORS_MAXIMUM } from '../../../ingest/events/eventResults.ts';
import { memberAt } from '../../../ingest/formats/values.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { homeLane } from '../../../platform/tenancy/tenant.ts';
import { reportConnector } from '../connectorHealth.ts';
import { type CallSignal, parseSignal, type Signal, type SignalParseResult } from './parseSignal.ts';
import { summarizeSignals } from './summarizeSignals.ts';

/** Writes under way at once. */
const CONCURRENCY = 32;
const NAME_LENGTH = 256;

const readName = (sent: unknown, member: string): string | null => {
  const value = memberAt(sent, member);
  return typeof value === 'string' ? value.slice(0, NAME_LENGTH) : null;
};

/** A member of the data of a CloudEvent. */
const inData = (error: FieldError): FieldError => ({ ...error, pointer: `/data${error.pointer ?? ''}` });

/** What became of one CloudEvent. `labels` are those that were dropped from the event of a call. */
type Verdict =
  | { readonly signal: Signal | CallSignal; readonly errors: null; readonly labels: readonly string[] }
  | { readonly signal: null; readonly errors: readonly FieldError[] };

const verdictOf = (parsed: SignalParseResult, checked: CheckedEvent | undefined): Verdict => {
  if (parsed.errors !== null) return parsed;
  if (checked === undefined) return { ...parsed, labels: [] };
  if (checked.event === null) return { signal: null, errors: checked.errors.map(inData) };
  return { ...parsed, labels: checked.dropped.scrubbed.map((name) => `data.${name}`) };
};

const toResult = (sent: unknown, verdict: Verdict, index: number): SignalResult =>
  verdict.errors === null
    ? {
        index,
        source: verdict.signal.source,
        id: verdict.signal.id,
        status: 'accepted',
        scrubbed: [...new Set([...findContentPaths(sent), ...verdict.labels])],
      }
    : {
        index,
        source: readName(sent, 'source'),
        id: readName(sent, 'id'),
        status: 'rejected',
        errors: verdict.errors.slice(0, ERRORS_MAXIMUM),
      };

export default operation(postEvents, async ({ body, caller, receivedAt, stores }) => {
  const { tenant, residency } = caller;
  const { tenant_id: tenantId } = tenant;
  const sent: readonly unknown[] = Array.isArray(body) ? body : [body];
  const parsed = sent.map((one) => parseSignal(one, tenantId, receivedAt));
  const calls = parsed.flatMap(({ signal }) => (signal?.kind === 'call' ? [signal] : []));
  const checked = await acceptEvents(
    stores,
    calls.map(({ event }) => event),
    { caller, receivedAt },
  );
  const checkedOf = new Map<unknown, CheckedEvent | undefined>(
    calls.map((call, index) => [call, checked[index]]),
  );
  const verdicts = parsed.map((one) => verdictOf(one, checkedOf.get(one.signal)));
  const [only] = verdicts;
  if (!Array.isArray(body) && only !== undefined && only.errors !== null) {
    const errors = [...only.errors];
    throw new ProblemError('VALIDATION_FAILED', 'The event does not match its schema.', { errors });
  }
  const accepted = verdicts.flatMap(({ signal }) => signal ?? []);
  // The calls are in the queue. They are no signals.
  const signals = accepted.flatMap((signal) => (signal.kind === 'call' ? [] : [signal]));
  const results = verdicts.map((verdict, index) => toResult(sent[index], verdict, index));

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
  // The worker counts what was dropped from the events of calls.
  stores.counters.note(tenantId, 'dropped_members', dropped.length - countDropped(checked));
  await stores.counters.flush();
  const response: SignalsAccepted = {
    accepted: accepted.length,
    rejected: results.length - accepted.length,
    results,
  };
  return reply(202, response);
});
