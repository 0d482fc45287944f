import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import {
  costMembers,
  type EventMembers,
  identityMembers,
  membersOf,
  requiredLabel,
  timestampOf,
  type Warnings,
} from '../formats/observedCall.ts';
import { decideCounts, type TokenCounts } from '../formats/tokenCounts.ts';
import { rowNumbers } from '../rows/rowIdentity.ts';
import { eventsOfUsageRow } from '../rows/usageRow.ts';
import { amountOf, countOf, countsUnder, textOf, textsUnder } from '../spans/attributes.ts';
import { statedCounts } from '../spans/spanCounts.ts';
import { eventOfSpan, originMembers } from '../spans/spanEvent.ts';
import { hasNamedCounts, kindOfAttributes } from '../spans/spanKind.ts';
import type { LogRecord } from '../spans/telemetry.ts';
import { type Agent, agentOf, isOfAgent } from './codingAgents.ts';

/** The event of the conventions for one call, which has the attributes of its span. */
const CONVENTIONS_EVENT = 'gen_ai.client.inference.operation.details';

/** Logins that are not billed by the token. */
const LOGINS: ReadonlyMap<string, string> = new Map([
  ['chatgpt', 'subscription'],
  ['chatgptauthtokens', 'subscription'],
  ['oauth-personal', 'free'],
  ['cloud-shell', 'free'],
  ['qwen-oauth', 'free'],
]);

/** The provider that serves an agent: the same client calls Amazon Bedrock and Vertex AI, whose model ids differ. */
const providerOf = ({ attributes }: LogRecord, agent: Agent): string => {
  const model = (textOf('agentModel', attributes) ?? '').toLowerCase();
  if (modelIdentity(agent.provider, model).provider === 'aws' || model.startsWith('arn:aws'))
    return 'aws.bedrock';
  const isVertex =
    /^claude-.*@(?:\d{8}|default)$/.test(model) || textOf('agentLogin', attributes) === 'vertex-ai';
  if (isVertex) return 'gcp.vertex_ai';
  return agent.provider === 'unknown' ? (textOf('agentProvider', attributes) ?? 'unknown') : agent.provider;
};

const countsOf = ({ attributes }: LogRecord, agent: Agent, warnings: Warnings): TokenCounts => {
  const marks = { source: agent.event.split('.', 1)[0] ?? '' };
  // Codex names the counts of its spans as the conventions do, and versions of it those of its events.
  if (hasNamedCounts(attributes)) return decideCounts(statedCounts(attributes), marks, warnings);
  const toolCounts = countsUnder('agentToolCount', attributes);
  return decideCounts(
    {
      input: countOf('agentInput', attributes),
      output: countOf('agentOutput', attributes),
      cacheRead: countOf('agentCacheRead', attributes),
      cacheWrite: countOf('agentCacheWrite', attributes),
      reasoning: countOf('agentReasoning', attributes),
      toolInput: agent.toolCount === 'input' ? toolCounts[0] : undefined,
      totals: [...countsUnder('agentTotal', attributes), ...(agent.toolCount === 'total' ? toolCounts : [])],
    },
    marks,
    warnings,
  );
};

const countsIdentity = ({ attributes }: LogRecord): readonly string[] =>
  (['requestedModel', 'inputTokens', 'outputTokens'] as const).map(
    (known) => textOf(known, attributes) ?? '',
  );

/**
 * Identifies a log event: its request or its place in a session, its time, and its counts, since parallel calls end
 * together.
 */
const identityOf = (record: LogRecord, agent: Agent): readonly string[] => {
  const { attributes, time, traceId, spanId } = record;
  const session = textOf('agentSession', attributes) ?? '';
  const place = textOf('agentSequence', attributes) ?? textOf('agentRequest', attributes) ?? '';
  const measured = (['agentModel', 'agentDuration', 'agentInput', 'agentOutput'] as const).map(
    (known) => textOf(known, attributes) ?? '',
  );
  return [agent.event, session, place, String(time), traceId, spanId, ...measured];
};

/** What a log record is: calls, token counts that no mapping reads, or neither. */
export type ReadLog =
  | { readonly kind: 'call'; readonly events: readonly Record<string, unknown>[] }
  | { readonly kind: 'unread'; readonly scope: string }
  | { readonly kind: 'other' };

const OTHER: ReadLog = { kind: 'other' };

/** A call that a log record reports with the attributes of a span. It has the id of the span that reports it too. */
const readConventions = (record: LogRecord, receivedAt: string, warnings: Warnings): ReadLog => {
  const found = kindOfAttributes(record.attributes, record.scope);
  if (found.kind === 'unread') return { kind: 'unread', scope: record.scope };
  if (found.kind !== 'call') return OTHER;
  const { time, traceId, spanId } = record;
  const isSpanKnown = [traceId, spanId].every((id) => /[^0]/.test(id));
  const identity = isSpanKnown
    ? ['span', traceId, spanId]
    : [
        'log',
        textOf('recordId', record.attributes) ?? CONVENTIONS_EVENT,
        String(time),
        ...countsIdentity(record),
      ];
  const span = { ...record, parentSpanId: '', start: time, end: 0n, isError: false };
  return {
    kind: 'call',
    events: [eventOfSpan(span, found.operation, [], identity, receivedAt, warnings)],
  };
};

/**
 * Calls whose counts are in the body of a log record, read as rows of a table of calls. A log often repeats what a span reports,
 * and only the id of the response tells. So a call without one is named as unread, and not charged twice.
 */
const readBody = (record: LogRecord, receivedAt: string, warnings: Warnings, items: ItemBudget): ReadLog => {
  const reading = { receivedAt, warnings, items, numberRow: rowNumbers(), record };
  const outcome = eventsOfUsageRow(record.body, reading);
  const events = outcome === null || typeof outcome === 'string' ? [] : outcome;
  const isKnown = events.length > 0 && events.every((event) => event['id_basis'] !== 'observation');
  return isKnown ? { kind: 'call', events } : { kind: 'unread', scope: record.scope };
};

/** Metrics of agents are never billed. */
export const readLog = (
  record: LogRecord,
  receivedAt: string,
  warnings: Warnings,
  items: ItemBudget,
): ReadLog => {
  const agent = agentOf(record);
  if (agent !== undefined)
    return { kind: 'call', events: [eventOfAgent(record, agent, receivedAt, warnings)] };
  if (isOfAgent(record)) return OTHER;
  const read = readConventions(record, receivedAt, warnings);
  return read.kind === 'other' && record.body !== undefined
    ? readBody(record, receivedAt, warnings, items)
    : read;
};

/** The event of a coding agent's call. */
const eventOfAgent = (
  record: LogRecord,
  agent: Agent,
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> => {
  const { attributes, resource, time, traceId, spanId } = record;
  const duration = countOf('agentDuration', attributes);
  const origin = originMembers(record, attributes);
  const members: EventMembers = {
    ...identityMembers(
      {
        requests: textsUnder('agentRequestId', attributes),
        responses: textsUnder('agentResponseId', attributes),
      },
      'log',
      ...identityOf(record, agent),
    ),
    ingestion_layer: 'otlp',
    ingestion_timestamp: receivedAt,
    occurred_at: timestampOf(time - BigInt(duration ?? 0) * 1_000_000n) ?? timestampOf(time),
    provider: requiredLabel('provider', providerOf(record, agent), 64, warnings),
    requested_model: requiredLabel('requested_model', textOf('agentModel', attributes), 256, warnings),
    operation: 'chat',
    ...membersOf(countsOf(record, agent, warnings)),
    service_tier: textOf('agentSpeed', attributes) === 'fast' ? 'fast' : undefined,
    ...costMembers(amountOf('agentCost', attributes), false),
    billing_mode: LOGINS.get((textOf('agentLogin', attributes) ?? '').toLowerCase()),
    latency_ms: duration,
    trace_id: traceId === '' ? undefined : traceId,
    span_id: spanId === '' ? undefined : spanId,
    pathway_category: 'agent_workflow',
    ...origin,
    end_user: textOf('agentUser', attributes, resource) ?? origin['end_user'],
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
};
