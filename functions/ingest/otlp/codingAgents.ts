import { countOf, textOf } from '../spans/attributes.ts';
import { hasNamedCounts } from '../spans/spanKind.ts';
import type { LogRecord } from '../spans/telemetry.ts';

/** A coding agent whose log events report its calls. */
export interface Agent {
  /** The event that reports a finished call. */
  readonly event: string;
  /** `event.kind` of it, where the event reports other things too. */
  readonly kind?: RegExp;
  /** Whether it sends the event a second time without counts. */
  readonly repeatsWithoutCounts?: boolean;
  readonly provider: string;
  /** Whether it names the event in the body only, which is never read. */
  readonly isUnnamed?: boolean;
  /** What it sends as `tool_token_count`. */
  readonly toolCount?: 'input' | 'total';
}

/**
 * Claude Code (https://docs.claude.com/en/docs/claude-code/monitoring-usage) reports its calls. Codex reports
 * them after an event of the same kind for the end of the stream, which has no counts. Gemini CLI reports `usageMetadata`.
 * Cline reports the turns of a conversation: those of the assistant have the counts of a call, which `task.tokens` repeats in part
 * (https://github.com/cline/cline src/services/telemetry). Since it is built on its SDK, only `task.tokens` has them, with the kind of
 * its agent (sdk/packages/core/src/services/agent-events.ts).
 */
const AGENTS: readonly Agent[] = [
  {
    event: 'claude_code.api_request',
    provider: 'anthropic',
  },
  {
    event: 'codex.sse_event',
    kind: /^response\.completed$/,
    repeatsWithoutCounts: true,
    provider: 'openai',
    toolCount: 'total',
  },
  {
    event: 'codex.websocket_event',
    kind: /^response\.completed$/,
    repeatsWithoutCounts: true,
    provider: 'openai',
    toolCount: 'total',
  },
  {
    event: 'gemini_cli.api_response',
    provider: 'gcp.gemini',
    toolCount: 'input',
  },
  // Calls the models of any provider.
  {
    event: 'qwen_code.api_response',
    provider: 'unknown',
    toolCount: 'input',
  },
  {
    event: 'cline.conversation_turn',
    kind: /^assistant$/,
    isUnnamed: true,
    repeatsWithoutCounts: true,
    provider: 'unknown',
  },
  {
    event: 'cline.tokens',
    kind: /^(?:root|subagent|team_lead|team_teammate)$/,
    isUnnamed: true,
    repeatsWithoutCounts: true,
    provider: 'unknown',
  },
];

const isOfKind = (needed: RegExp | undefined, kind = ''): boolean =>
  needed === undefined || needed.test(kind);

/** Its names: as a member of the record, and as an attribute, where versions of SDKs put it. */
const namesOf = ({ eventName, attributes }: LogRecord): readonly string[] =>
  [eventName, textOf('eventName', attributes) ?? ''].map((name) => name.replaceAll('-', '_'));

/** `qwen-code` and `qwen_code` are one agent. */
const originOf = ({ scope, resource }: LogRecord): string =>
  `${scope} ${textOf('service', resource) ?? ''}`.replaceAll('-', '_');

/** Whether a record comes from an agent whose own events report its calls. All others repeat them. */
export const isOfAgent = (record: LogRecord): boolean =>
  AGENTS.some(({ event }) => originOf(record).includes(event.split('.', 1)[0] ?? ''));

/**
 * A fork of an agent renames the prefix of its events and nothing else: `iflow_cli.api_response`. It calls the models of any
 * provider. All agents count what they read of a cache, and services that log a call beside its span do not under these names.
 */
const forkOf = (named: readonly string[], { attributes }: LogRecord): Agent | undefined => {
  const isAlike =
    textOf('agentModel', attributes) !== undefined && countOf('agentCacheRead', attributes) !== undefined;
  if (!isAlike) return undefined;
  const kind = textOf('eventKind', attributes);
  for (const name of named) {
    const [, short] = /^[a-z][a-z0-9_]*\.([a-z_]+)$/.exec(name) ?? [];
    const original = AGENTS.find(
      ({ event, kind: needed, isUnnamed }) =>
        isUnnamed !== true && event.split('.')[1] === short && isOfKind(needed, kind),
    );
    if (original !== undefined) return { ...original, event: name, provider: 'unknown' };
  }
  return undefined;
};

/** The agent whose call a log record reports. */
export const agentOf = (record: LogRecord): Agent | undefined => {
  const { attributes } = record;
  const named = namesOf(record);
  const kind = textOf('eventKind', attributes);
  // Claude Code sends `api_request` without its prefix, in a scope and a service of its own name.
  const origin = originOf(record);
  const agent = AGENTS.find(({ event, kind: needed, isUnnamed }) => {
    const [prefix = '', short] = event.split('.', 2);
    const matches = named.some(
      (name) => name === event || (name === (isUnnamed === true ? '' : short) && origin.includes(prefix)),
    );
    return matches && isOfKind(needed, kind);
  });
  const hasCounts =
    (countOf('agentInput', attributes) ?? countOf('agentOutput', attributes)) !== undefined ||
    hasNamedCounts(attributes);
  const known = agent ?? (hasCounts ? forkOf(named, record) : undefined);
  return known?.repeatsWithoutCounts && !hasCounts ? undefined : known;
};
