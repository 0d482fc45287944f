import type { InvocationEvent } from '../../../typescript/src/index.ts';
import { eventIdFrom, eventIdOf, isUnique } from '../../../typescript/tracker/eventId.ts';

export type Json = Readonly<Record<string, unknown>>;

export const objectAt = (value: Json, name: string): Json => {
  const member = value[name];
  return typeof member === 'object' && member !== null ? Object(member) : {};
};
export const textAt = (value: Json, name: string): string | undefined => {
  const member = value[name];
  return typeof member === 'string' && member.trim() !== '' ? member.trim() : undefined;
};
/** A count; 0 if there is none. */
export const countAt = (value: Json, name: string): number => {
  const member = value[name];
  return typeof member === 'number' && Number.isSafeInteger(member) && member > 0 ? member : 0;
};
/** Epoch milliseconds of an ISO time. */
export const timeAt = (value: Json, name: string): number | undefined => {
  const at = Date.parse(textAt(value, name) ?? '');
  return Number.isNaN(at) ? undefined : at;
};

/** Counts of tokens, in the names of our API: input includes cached tokens, and output includes reasoning. */
export interface Counts {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
}

/** One call in a session file: names and counts. There is no member for text of a prompt or an answer. */
export interface LocalCall {
  /** Epoch milliseconds of the first line that tells of it. */
  readonly at: number;
  readonly provider: string;
  readonly model: string;
  readonly counts: Counts;
  /** Further members of its event. */
  readonly members: Partial<InvocationEvent>;
  readonly requestId?: string | undefined;
  readonly responseId?: string | undefined;
  /** What identifies the call without an id of its provider: the same whenever the files are read. */
  readonly identity: readonly string[];
  /** Whether its answer may not be finished. The next import finds it. */
  readonly isInProgress?: boolean;
}

/** The form of an id, such as `req` of `req_…` and `chatcmpl` of `chatcmpl-…`. */
const styleOf = (id: string): string => {
  const style = /^([a-z]{2,12})[_-](?=.{8})/.exec(id)?.[1];
  return style === undefined ? '' : `.${style}`;
};

/** The ids of its provider that identify a call: of the request, which the service prefers, and of the response. */
const idsOf = ({ requestId, responseId }: LocalCall): string[] => [requestId, responseId].filter(isUnique);

/** The calls that several files tell of once. */
export const distinctCalls = (calls: readonly LocalCall[]): LocalCall[] => [
  ...new Map(
    calls
      .toSorted((one, other) => other.at - one.at)
      .map((call) => [idsOf(call)[0] ?? JSON.stringify(call.identity), call]),
  ).values(),
];

/** How the service names the calls of the log events of agents: by the id of the request, else by that of the response. */
const identityOf = async (call: LocalCall, agent: string) => {
  const { responseId, identity } = call;
  const [first, second] = idsOf(call);
  if (first === undefined) {
    return { event_id: await eventIdFrom('session file', agent, ...identity), id_basis: 'observation' };
  }
  const kind = isUnique(responseId) ? 'response' : 'request';
  return {
    event_id: await eventIdOf(first),
    id_basis: `${kind}${styleOf(isUnique(responseId) ? responseId : first)}`,
    ...(second !== undefined && { call_ids: [second] }),
  };
};

/** The event of a call. It is the same in each import, so the service takes it once. */
export const eventOf = async (
  call: LocalCall,
  agent: string,
  stated: Partial<InvocationEvent>,
): Promise<InvocationEvent> => ({
  ...(await identityOf(call, agent)),
  ingestion_layer: 'session_file',
  ingestion_timestamp: new Date(call.at).toISOString(),
  source_system: agent,
  provider: call.provider,
  requested_model: call.model,
  operation: 'chat',
  pathway_category: 'agent_workflow',
  ...call.counts,
  ...call.members,
  ...stated,
});
