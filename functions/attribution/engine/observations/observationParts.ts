import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { UNIT_MEMBERS } from '../../../impact/usage/usage.ts';
import { CAPTURE } from '../../../ledger/records/dedup/statementPolicy.ts';
import { decimal } from '../../../platform/shared/decimal.ts';

export type Member = keyof InvocationEvent;

/** A part of an event that is taken as a whole from one observation, because its members depend on each other. */
export interface Part {
  readonly members: readonly Member[];
  /** They come with the members, and say nothing by themselves. */
  readonly carried?: readonly Member[];
  /** Which of two equally rich observations wins: the one nearer to the provider of the model, or to the caller. */
  readonly knownBest: 'provider' | 'caller';
}

export const USAGE = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const satisfies Member[];

/** Parts of the counts above, by price. They come with the counts that they are parts of. */
export const USAGE_PARTS = [
  'cache_write_1h_tokens',
  'audio_input_tokens',
  'cached_audio_input_tokens',
  'image_input_tokens',
  'audio_output_tokens',
  'image_output_tokens',
  'web_searches',
  ...UNIT_MEMBERS,
] as const satisfies Member[];

/** They are there if the observer leaves open which tokens its counts include. */
const UNDECIDED = ['input_tokens_high', 'output_tokens_high'] as const satisfies Member[];

/** The part with the energy and carbon that an observer reports. */
export const FOOTPRINT = 'footprint';

export const PARTS: Readonly<Record<string, Part>> = {
  call: { members: ['provider', 'requested_model', 'served_model', 'operation'], knownBest: 'provider' },
  [CAPTURE]: { members: ['ingestion_layer', 'pathway_category'], knownBest: 'provider' },
  region: { members: ['region', 'inference_region', 'server_address'], knownBest: 'provider' },
  service_tier: { members: ['service_tier', 'batch'], knownBest: 'provider' },
  usage: {
    members: [...USAGE, ...USAGE_PARTS, ...UNDECIDED, 'unread_usage', 'latency_ms', 'status'],
    knownBest: 'provider',
  },
  cost: {
    members: ['estimated_cost_usd', 'cost_breakdown', 'cost_source'],
    carried: ['unread_cost'],
    knownBest: 'provider',
  },
  billing_mode: { members: ['billing_mode'], knownBest: 'caller' },
  [FOOTPRINT]: { members: ['energy_wh', 'carbon_gco2e'], knownBest: 'provider' },
  trace: {
    members: ['trace_id', 'span_id', 'parent_span_id'],
    carried: ['caller_span_id', 'covered_span_ids'],
    knownBest: 'caller',
  },
  workload: { members: ['k8s_namespace', 'k8s_workload', 'k8s_cluster'], knownBest: 'caller' },
  attributed_identity: { members: ['attributed_identity'], knownBest: 'caller' },
  end_user: { members: ['end_user'], knownBest: 'caller' },
  attributed_service: { members: ['attributed_service'], knownBest: 'caller' },
  spiffe_id: { members: ['spiffe_id'], knownBest: 'caller' },
  api_key_name: { members: ['api_key_name'], knownBest: 'caller' },
  source_system: { members: ['source_system'], knownBest: 'caller' },
};

/** The parts that set what a call costs. */
export const MONEY: readonly string[] = ['call', 'region', 'service_tier', 'usage', 'cost', 'billing_mode'];

/** All members that an observation supplies with a part. */
export const membersOf = (part: string): readonly Member[] => {
  const { members = [], carried = [] } = PARTS[part] ?? {};
  return [...members, ...carried];
};

/**
 * How near a capture layer is to the provider. All others observe the call from the side of the caller. A client writes its
 * session files from what it has already reported.
 */
const NEARNESS: ReadonlyMap<string, number> = new Map([
  ['provider_log', 3],
  ['gateway', 2],
  ['proxy', 1],
  ['session_file', -1],
]);

/** An event, and who observed it. */
export interface Candidate {
  readonly event: InvocationEvent;
  readonly layer: string;
  readonly system: string | null;
  readonly by: string | undefined;
}

export const nearnessOf = (layer: string): number => NEARNESS.get(layer) ?? 0;

export const identityOf = ({ layer, system, by }: Omit<Candidate, 'event'>): string =>
  JSON.stringify([layer, system, by]);

const valuesOf = (part: Part, event: InvocationEvent) => part.members.map((member) => event[member] ?? null);

/** More than all counts of an answer say together. */
const WHOLE = 100;

/**
 * How many members say something. Of the names of a call: whether the observer knows them. Of usage: how many counts are
 * above 0, because client libraries fill every count that a response leaves out with 0; of as many, decided ones. But whoever
 * saw the whole answer knows more than who saw a part of it. Of a cost: whether who charges stated it, then whether it is above
 * 0, because price tables of clients have 0 for unknown models.
 */
const richnessOf = (part: Part, event: InvocationEvent): number => {
  if (part === PARTS['call']) {
    return event.provider === 'unknown' || event.requested_model === 'unknown' ? 0 : 1;
  }
  if (part === PARTS['usage']) {
    const isDecided = UNDECIDED.every((member) => event[member] === undefined);
    const known = [...USAGE, ...USAGE_PARTS].filter((member) => (event[member] ?? 0) > 0).length;
    const isWhole = known > 0 && event.status !== 'incomplete';
    return (isWhole ? WHOLE : 0) + 2 * known + Number(isDecided);
  }
  if (part === PARTS['cost']) {
    const { estimated_cost_usd: total, cost_breakdown: breakdown = {}, cost_source: source } = event;
    const amounts = [total, ...Object.values(breakdown)];
    if (source === 'provider') return 3;
    if (amounts.every((amount) => decimal(amount ?? '0').eq('0'))) return 0;
    return Number(total !== undefined) + Number(event.cost_breakdown !== undefined);
  }
  return part.members.filter((member) => event[member] !== undefined).length;
};

/** Total order, so that the result does not depend on the order of arrival. */
export const isRicher = (part: Part, one: Candidate, other: Candidate): boolean => {
  const rankOf = ({ event, layer, ...observer }: Candidate): [number, number, string] => {
    const nearness = nearnessOf(layer);
    return [
      richnessOf(part, event),
      part.knownBest === 'provider' ? nearness : -nearness,
      JSON.stringify(valuesOf(part, event)) + identityOf({ layer, ...observer }),
    ];
  };
  const [richness, nearness, text] = rankOf(one);
  const [otherRichness, otherNearness, otherText] = rankOf(other);
  if (richness !== otherRichness) return richness > otherRichness;
  return nearness === otherNearness ? text > otherText : nearness > otherNearness;
};

/** Whether the event says anything of the part. Of usage: whether it counts tokens. */
export const saysSomething = (part: Part, event: InvocationEvent): boolean =>
  part === PARTS['usage']
    ? (event.input_tokens ?? 0) + (event.output_tokens ?? 0) > 0
    : richnessOf(part, event) > 0;

/**
 * Whether a second report of an observer adds the part, because nobody has said anything of it; `known` is null if nobody had
 * the right to. The usage of a call that runs in the background comes with the poll that finds it completed.
 */
export const isCompleted = (part: Part, known: InvocationEvent | null, incoming: InvocationEvent): boolean =>
  (known === null || !saysSomething(part, known)) && saysSomething(part, incoming);

/** Whether the event states nothing of the part. Every event has a status, which is `ok` if its observer states none. */
export const isEmpty = (part: Part, event: InvocationEvent): boolean =>
  part.members.every(
    (member) => event[member] === undefined || (member === 'status' && event.status === 'ok'),
  );
