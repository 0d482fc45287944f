import pMap from 'p-map';
import {
  postEvents,
  type SignalResult,
  type SignalsAccepted,
} from '../../../../schemas/routes/insight/signals.ts';
import type { CredentialLists } from '../../../identity/access/principals/credential.store.ts';
import { acceptEvents } from '../../../ingest/events/acceptEvents.ts';
import { type CheckedEvent, countDropped } from '../../../ingest/events/checkEvent.ts';
import { findContentPaths } from '../../../ingest/events/contentScrubber.ts';
import { ERRORS_MAXIMUM } from '../../../ingest/events/eventResults.ts';
import { binaryCloudEvent } from '../../../ingest/formats/cloudEvent.ts';
import { mayReportHealth, partyOf } from '../../../ledger/records/dedup/statementPolicy.ts';
import { provenanceOf } from '../../../ledger/records/provenance.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { foldName } from '../../../platform/shared/foldName.ts';
import { memberAt } from '../../../platform/shared/memberAt.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { homeLane } from '../../../platform/tenancy/tenant.ts';
import { reportConnector } from '../connectorHealth.ts';
import { parseSignal, type SignalParseResult } from './parseSignal.ts';
import { registeredConnectors } from './registeredConnectors.ts';
import { inData, signalWarnings } from './signalWarnings.ts';
import { summarizeSignals } from './summarizeSignals.ts';

/** Writes under way at once. */
const CONCURRENCY = 32;
const NAME_LENGTH = 256;

const NAME_TAKEN = [
  {
    pointer: '/data/connector',
    detail: 'is the name of a registered connector, which alone reports its health',
  },
];

const readName = (sent: unknown, member: string): string | null => {
  const value = memberAt(sent, member);
  return typeof value === 'string' ? value.slice(0, NAME_LENGTH) : null;
};

/** What became of a CloudEvent. `call` is the event in its data, if it tells of a call. */
const toResult = (
  sent: unknown,
  { signal, errors: invalid }: SignalParseResult,
  call: CheckedEvent | undefined,
  index: number,
): SignalResult => {
  const errors = invalid ?? call?.errors?.map(inData);
  if (errors !== undefined || signal === null) {
    const [source, id] = [readName(sent, 'source'), readName(sent, 'id')];
    return { index, source, id, status: 'rejected', errors: [...(errors ?? [])] };
  }
  const { scrubbed: labels, warnings: repairs = [] } = call?.event ? call.dropped : { scrubbed: [] };
  const warnings = [...repairs.map(inData), ...signalWarnings(sent, signal)];
  const scrubbed = [...new Set([...findContentPaths(sent), ...labels.map((name) => `data.${name}`)])];
  return {
    index,
    source: signal.source,
    id: signal.id,
    status: 'accepted',
    scrubbed,
    ...(warnings.length > 0 && { warnings }),
  };
};

/** Rejects reports about the health of connectors for which the caller does not speak. */
const withAuthority = async (
  lists: Pick<CredentialLists, 'clients'>,
  caller: Caller,
  parsed: readonly SignalParseResult[],
): Promise<readonly SignalParseResult[]> => {
  if (!parsed.some(({ signal }) => signal?.kind === 'connector_health')) return parsed;
  const registered = await registeredConnectors(lists, caller.tenant);
  const party = partyOf(provenanceOf(caller));
  return parsed.map((one) => {
    if (one.signal?.kind !== 'connector_health') return one;
    const owners = registered.get(foldName(one.signal.data.connector)) ?? [];
    return mayReportHealth(party, owners) ? one : { signal: null, errors: NAME_TAKEN };
  });
};

export default operation(postEvents, async ({ body: content, header, caller, receivedAt, stores }) => {
  const body = binaryCloudEvent(header, content) ?? content;
  const { tenant, residency } = caller;
  const { tenant_id: tenantId } = tenant;
  const sent: readonly unknown[] = Array.isArray(body) ? body : [body];
  const parsed = await withAuthority(
    stores.credentialLists,
    caller,
    sent.map((one) => parseSignal(one, tenantId, receivedAt)),
  );
  const calls = parsed.flatMap(({ signal }) => (signal?.kind === 'call' ? [signal.event] : []));
  const checked = await acceptEvents(stores, calls, { caller, receivedAt });
  const checkedOf = new Map(checked.map((one) => [one.sent, one]));
  const results = parsed.map((one, index) => {
    const call = one.signal?.kind === 'call' ? checkedOf.get(one.signal.event) : undefined;
    return toResult(sent[index], one, call, index);
  });
  const [only] = results;
  if (!Array.isArray(body) && only?.status === 'rejected') {
    const { errors } = only;
    throw new ProblemError('VALIDATION_FAILED', 'The event does not match its schema.', { errors });
  }
  const signals = parsed.flatMap(({ signal }) => (signal === null || signal.kind === 'call' ? [] : [signal]));

  const insertions = await pMap(
    signals,
    async (signal) => ({ signal, outcome: await stores.signals.insert(caller, signal, receivedAt) }),
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

  const accepted = results.filter((result) => result.status === 'accepted');
  const dropped = accepted.flatMap(({ scrubbed }) => scrubbed);
  // The worker counts what was dropped from the events of calls.
  stores.counters.note(tenantId, 'dropped_members', dropped.length - countDropped(checked));
  const rejected = parsed.filter(({ errors }) => errors === NAME_TAKEN).length;
  stores.counters.note(tenantId, 'rejected_statements', rejected);
  await stores.counters.flush();
  const response: SignalsAccepted = {
    accepted: accepted.length,
    rejected: results.length - accepted.length,
    results: results.map((result) =>
      result.status === 'rejected' ? { ...result, errors: result.errors.slice(0, ERRORS_MAXIMUM) } : result,
    ),
  };
  return reply(202, response);
});
