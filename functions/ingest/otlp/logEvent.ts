import {
  callIdOf,
  type EventMembers,
  inclusiveCounts,
  membersOf,
  requiredLabel,
  type TokenCounts,
  timestampOf,
  type Warnings,
} from '../formats/observedCall.ts';
import { amountOf, countOf, textOf } from './attributes.ts';
import { originMembers } from './spanEvent.ts';
import type { LogRecord } from './telemetry.ts';

/** A coding agent whose log events report its calls. */
interface Agent {
  /** The event that reports a finished call. */
  readonly event: string;
  /** `event.kind` of it, where the event reports other things too. */
  readonly kind?: string;
  /** Whether it sends the event a second time without counts. */
  readonly repeatsWithoutCounts?: boolean;
  readonly provider: string;
  /** Whether the input tokens of the agent exclude cached tokens. */
  readonly isExclusive: boolean;
  /** Whether its output tokens exclude reasoning, and its input tokens the input of tools. */
  readonly excludesReasoningAndTools: boolean;
}

/**
 * Claude Code (https://docs.claude.com/en/docs/claude-code/monitoring-usage) reports Anthropic's exclusive counts. Codex
 * reports OpenAI's inclusive ones, after an event of the same kind for the end of the stream, which has none. Gemini CLI
 * reports those of `usageMetadata`, whose candidates exclude thoughts and whose prompt excludes results of tools.
 */
const AGENTS: readonly Agent[] = [
  {
    event: 'claude_code.api_request',
    provider: 'anthropic',
    isExclusive: true,
    excludesReasoningAndTools: false,
  },
  {
    event: 'codex.sse_event',
    kind: 'response.completed',
    repeatsWithoutCounts: true,
    provider: 'openai',
    isExclusive: false,
    excludesReasoningAndTools: false,
  },
  {
    event: 'gemini_cli.api_response',
    provider: 'gcp.gemini',
    isExclusive: false,
    excludesReasoningAndTools: true,
  },
];

const agentOf = ({ eventName, attributes, scope, resource }: LogRecord): Agent | undefined => {
  const name = eventName === '' ? textOf('eventName', attributes) : eventName;
  const kind = textOf('eventKind', attributes);
  // Claude Code sends `api_request` without its prefix, in a scope and a service of its own name.
  const origin = `${scope} ${textOf('service', resource) ?? ''}`.replaceAll('-', '_');
  const agent = AGENTS.find(({ event, kind: needed }) => {
    const [prefix = '', short] = event.split('.', 2);
    const matches = name === event || (name === short && origin.includes(prefix));
    return matches && (needed === undefined || needed === kind);
  });
  const hasCounts = countOf('agentInput', attributes) !== undefined;
  return agent?.repeatsWithoutCounts && !hasCounts ? undefined : agent;
};

const countsOf = ({ attributes }: LogRecord, agent: Agent, warnings: Warnings): TokenCounts => {
  const input = countOf('agentInput', attributes);
  const output = countOf('agentOutput', attributes);
  const reasoning = countOf('agentReasoning', attributes);
  const add = (total: number | undefined, part: number | undefined) =>
    agent.excludesReasoningAndTools && total !== undefined ? total + (part ?? 0) : total;
  const counts = {
    input: add(input, countOf('agentToolInput', attributes)),
    output: add(output, reasoning),
    cacheRead: countOf('agentCacheRead', attributes),
    cacheWrite: countOf('agentCacheWrite', attributes),
    reasoning,
  };
  return inclusiveCounts(counts, agent.isExclusive, warnings);
};

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

/** The event of a coding agent's call; null for any other log record. Metrics of agents are never billed. */
export const eventOfLog = (
  record: LogRecord,
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> | null => {
  const agent = agentOf(record);
  if (agent === undefined) return null;
  const { attributes, resource, time, traceId, spanId } = record;
  const duration = countOf('agentDuration', attributes);
  const origin = originMembers(record, attributes);
  const members: EventMembers = {
    event_id: callIdOf(undefined, 'log', ...identityOf(record, agent)),
    ingestion_layer: 'otlp',
    ingestion_timestamp: receivedAt,
    occurred_at: timestampOf(time - BigInt(duration ?? 0) * 1_000_000n) ?? timestampOf(time),
    provider: agent.provider,
    requested_model: requiredLabel('requested_model', textOf('agentModel', attributes), 256, warnings),
    operation: 'chat',
    ...membersOf(countsOf(record, agent, warnings)),
    estimated_cost_usd: amountOf('agentCost', attributes),
    latency_ms: duration,
    trace_id: traceId === '' ? undefined : traceId,
    span_id: spanId === '' ? undefined : spanId,
    pathway_category: 'agent_workflow',
    ...origin,
    attributed_identity: textOf('agentUser', attributes, resource) ?? origin['attributed_identity'],
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
};
