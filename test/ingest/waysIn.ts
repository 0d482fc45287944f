import { randomUUID } from 'node:crypto';
import { credentialLists } from '../../functions/identity/access/principals/credential.store.ts';
import { auditLog } from '../../functions/identity/audit/audit.store.ts';
import postCallLogs from '../../functions/ingest/callLogs/postCallLogs.ts';
import { acceptedQueue } from '../../functions/ingest/events/acceptedQueue.aws.ts';
import postInvocation from '../../functions/ingest/events/postInvocation.ts';
import postInvocationBatch from '../../functions/ingest/events/postInvocationBatch.ts';
import postLogs from '../../functions/ingest/otlp/postLogs.ts';
import postTraces from '../../functions/ingest/otlp/postTraces.ts';
import { connectorMeter } from '../../functions/insight/coverage/connector.store.ts';
import { discoveryWriter } from '../../functions/insight/coverage/discovery.store.ts';
import postPartnerEvents from '../../functions/insight/coverage/partner/postPartnerEvents.ts';
import postPartnerInvocation from '../../functions/insight/coverage/partner/postPartnerInvocation.ts';
import postEvents from '../../functions/insight/coverage/signals/postEvents.ts';
import { signalStore } from '../../functions/insight/coverage/signals/signal.store.ts';
import { eventKeys } from '../../functions/ledger/records/dedup/eventKey.store.ts';
import type { BoundOperation } from '../../functions/platform/http/operation.ts';
import { outbox } from '../../functions/platform/outbox/outbox.store.ts';
import { counterStore } from '../../functions/tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../functions/tenants/diagnostics/counters.ts';
import { someEvent } from '../support/client.ts';
import { inferenceCloudEvent, litellmPayload } from './formats/logs.ts';
import { logsInJson, tracesInJson } from './otlp/messages.ts';

/** One call, as each producer tells of it in its own format. */
export interface SentCall {
  readonly id: string;
  /** Identifies the record, because some formats determine the event id themselves. */
  readonly model: string;
  readonly service: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The tenant that the producer names. */
  readonly tenant?: string;
  /** The cost that the producer reports, in USD. */
  readonly cost?: number;
}

export const aCall = (members: Partial<SentCall> = {}): SentCall => ({
  id: randomUUID(),
  model: `model-${randomUUID()}`,
  service: 'search',
  at: Date.now(),
  ...members,
});

/** A producer that names another as the source of what it sends. */
const FORGED = { stated_by: { kind: 'service', id: 'forged' }, registered: { fills_other_sources: true } };

/** A way in over HTTP. */
export interface Way {
  readonly name: string;
  readonly operation: BoundOperation;
  /** The body of a request with these calls. */
  readonly bodyOf: (calls: readonly SentCall[]) => unknown;
  readonly takesOne?: boolean;
  /** Whether an event of this format can name a tenant. */
  readonly namesTenant?: boolean;
}

const iso = (at: number): string => new Date(at).toISOString();
const nanoseconds = (at: number): string => `${at}000000`;

export const eventOf = ({ id, model, service, at, tenant, cost }: SentCall): Record<string, unknown> =>
  someEvent({
    event_id: id,
    ingestion_timestamp: iso(Math.min(at, Date.now())),
    occurred_at: iso(at),
    requested_model: model,
    attributed_service: service,
    ...FORGED,
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(cost !== undefined && { estimated_cost_usd: String(cost) }),
  });

const cloudEventOf = ({ id, model, service, at, tenant, cost }: SentCall): Record<string, unknown> =>
  inferenceCloudEvent({
    id,
    time: iso(at),
    data: {
      provider: 'openai',
      requested_model: model,
      input_tokens: 10,
      attributed_service: service,
      ...FORGED,
      ...(tenant !== undefined && { tenant_id: tenant }),
      ...(cost !== undefined && { estimated_cost_usd: String(cost) }),
    },
  });

const spanOf = ({ id, model, service, at, cost }: SentCall) => ({
  traceId: id.replaceAll('-', ''),
  spanId: id.replaceAll('-', '').slice(16),
  start: nanoseconds(at),
  end: nanoseconds(at),
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.agent.name': service,
    ...(cost !== undefined && { 'gen_ai.usage.cost': cost }),
  },
});

const logOf = ({ id, model, service, at, cost }: SentCall) => ({
  resource: { 'service.name': service },
  items: [
    {
      eventName: 'claude_code.api_request',
      time: nanoseconds(at),
      attributes: {
        model,
        'session.id': id,
        input_tokens: 10,
        output_tokens: 1,
        ...(cost !== undefined && { cost_usd: cost }),
      },
    },
  ],
});

const litellmOf = ({ id, model, service, at, cost }: SentCall) => {
  const payload = litellmPayload({ id: `chatcmpl-${id}`, startTime: at / 1_000, endTime: at / 1_000 });
  return {
    ...payload,
    model_group: model,
    trace_id: id,
    ...(cost !== undefined && { response_cost: cost }),
    metadata: { ...payload.metadata, user_api_key_team_alias: service },
  };
};

const first =
  <Sent>(body: (call: SentCall) => Sent) =>
  (calls: readonly SentCall[]): Sent | undefined =>
    calls[0] && body(calls[0]);

/** All ways in over HTTP, over the tables and queues of the local engines. */
export const httpWays = (queueUrl: string): readonly Way[] => {
  const stores = {
    accepted: acceptedQueue(queueUrl),
    eventKeys: eventKeys('claims'),
    currentShardBits: async () => 0,
    reportProgress: async () => undefined,
    meter: connectorMeter('coverage'),
    audit: auditLog('audit'),
    discovery: discoveryWriter('coverage'),
    signals: signalStore('signals'),
    credentialLists: credentialLists('access'),
    outbox: outbox('outbox'),
    counters: hourlyCounters(counterStore('counters'), Date.now, randomUUID),
  };
  const batchOf = (calls: readonly SentCall[]) => ({ events: calls.map(eventOf) });
  return [
    { name: 'one event', operation: postInvocation(stores), bodyOf: first(eventOf), takesOne: true },
    { name: 'a batch', operation: postInvocationBatch(stores), bodyOf: batchOf, namesTenant: true },
    {
      name: 'one event of a partner',
      operation: postPartnerInvocation(stores),
      bodyOf: first(eventOf),
      takesOne: true,
    },
    {
      name: 'a batch of a partner',
      operation: postPartnerEvents(stores),
      bodyOf: batchOf,
      namesTenant: true,
    },
    {
      name: 'CloudEvents',
      operation: postEvents(stores),
      bodyOf: (calls) => calls.map(cloudEventOf),
      namesTenant: true,
    },
    {
      name: 'CloudEvents as call logs',
      operation: postCallLogs(stores),
      bodyOf: (calls) => calls.map(cloudEventOf),
      namesTenant: true,
    },
    { name: 'call logs', operation: postCallLogs(stores), bodyOf: (calls) => calls.map(litellmOf) },
    {
      name: 'OTLP traces',
      operation: postTraces(stores),
      bodyOf: (calls) => tracesInJson([{ items: calls.map(spanOf) }]),
    },
    {
      name: 'OTLP logs',
      operation: postLogs(stores),
      bodyOf: (calls) => logsInJson(calls.map(logOf)),
    },
  ];
};
