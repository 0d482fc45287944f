import type { ObservationTrace } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { UNIT_MEMBERS } from '../../impact/usage/usage.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { normalizeEvent } from './attribute.ts';

type Member = keyof InvocationEvent;

/** A call as all its observers together describe it. */
export interface ObservedCall {
  readonly event: InvocationEvent;
  readonly observations: readonly ObservationTrace[] | undefined;
}

/** A part of an event that is taken as a whole from one observation, because its members depend on each other. */
interface Part {
  readonly members: readonly Member[];
  /** Which of two equally rich observations wins: the one nearer to the provider of the model, or to the caller. */
  readonly knownBest: 'provider' | 'caller';
}

const USAGE = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const satisfies Member[];

/** Parts of the counts above, by price. They come with the counts that they are parts of. */
const USAGE_PARTS = [
  'cache_write_1h_tokens',
  'audio_input_tokens',
  'image_input_tokens',
  'audio_output_tokens',
  'image_output_tokens',
  'web_searches',
  ...UNIT_MEMBERS,
] as const satisfies Member[];

/** They are there if the observer leaves open which tokens its counts include. */
const UNDECIDED = ['input_tokens_high', 'output_tokens_high'] as const satisfies Member[];

const PARTS: Readonly<Record<string, Part>> = {
  call: {
    members: [
      'provider',
      'requested_model',
      'served_model',
      'operation',
      'ingestion_layer',
      'pathway_category',
    ],
    knownBest: 'provider',
  },
  region: { members: ['region', 'inference_region'], knownBest: 'provider' },
  service_tier: { members: ['service_tier', 'batch'], knownBest: 'provider' },
  usage: {
    members: [...USAGE, ...USAGE_PARTS, ...UNDECIDED, 'unread_usage', 'latency_ms', 'status'],
    knownBest: 'provider',
  },
  cost: { members: ['estimated_cost_usd', 'cost_breakdown', 'cost_source'], knownBest: 'provider' },
  billing_mode: { members: ['billing_mode'], knownBest: 'caller' },
  footprint: { members: ['energy_wh', 'carbon_gco2e'], knownBest: 'provider' },
  trace: { members: ['trace_id', 'span_id', 'parent_span_id'], knownBest: 'caller' },
  workload: { members: ['k8s_namespace', 'k8s_workload', 'k8s_cluster'], knownBest: 'caller' },
  attributed_identity: { members: ['attributed_identity'], knownBest: 'caller' },
  attributed_service: { members: ['attributed_service'], knownBest: 'caller' },
  spiffe_id: { members: ['spiffe_id'], knownBest: 'caller' },
  api_key_name: { members: ['api_key_name'], knownBest: 'caller' },
  source_system: { members: ['source_system'], knownBest: 'caller' },
};

/** How near a capture layer is to the provider. All others observe the call from the side of the caller. */
const NEARNESS: ReadonlyMap<string, number> = new Map([
  ['provider_log', 3],
  ['gateway', 2],
  ['proxy', 1],
]);

/** Of an event. */
const TAGS_MAXIMUM = 20;

interface Candidate {
  readonly event: InvocationEvent;
  readonly layer: string;
  readonly system: string | null;
}

export const nearnessOf = (layer: string): number => NEARNESS.get(layer) ?? 0;

const identityOf = ({ layer, system }: Omit<Candidate, 'event'>): string => JSON.stringify([layer, system]);

/** Identifies who observed a call. */
export const observerOf = ({ ingestion_layer, source_system }: InvocationEvent): string =>
  sha256Of('observer', ingestion_layer, source_system ?? '')
    .subarray(0, 9)
    .toString('base64url');

const valuesOf = (part: Part, event: InvocationEvent) => part.members.map((member) => event[member] ?? null);

/**
 * How many members say something. Of the names of a call: whether the observer knows them. Of usage: how many counts are
 * above 0, because client libraries fill every count that a response leaves out with 0; of as many, decided ones. Of a cost:
 * whether who charges stated it, then whether it is above 0, because price tables of clients have 0 for unknown models.
 */
const richnessOf = (part: Part, event: InvocationEvent): number => {
  if (part === PARTS['call']) {
    return event.provider === 'unknown' || event.requested_model === 'unknown' ? 0 : 1;
  }
  if (part === PARTS['usage']) {
    const isDecided = UNDECIDED.every((member) => event[member] === undefined);
    const known = [...USAGE, ...USAGE_PARTS].filter((member) => (event[member] ?? 0) > 0).length;
    return 2 * known + Number(isDecided);
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
const isRicher = (part: Part, one: Candidate, other: Candidate): boolean => {
  const rankOf = ({ event, layer, system }: Candidate): [number, number, string] => {
    const nearness = nearnessOf(layer);
    return [
      richnessOf(part, event),
      part.knownBest === 'provider' ? nearness : -nearness,
      JSON.stringify(valuesOf(part, event)) + identityOf({ layer, system }),
    ];
  };
  const [richness, nearness, text] = rankOf(one);
  const [otherRichness, otherNearness, otherText] = rankOf(other);
  if (richness !== otherRichness) return richness > otherRichness;
  return nearness === otherNearness ? text > otherText : nearness > otherNearness;
};

const tokensOf = ({ input_tokens: input = 0, output_tokens: output = 0 }: InvocationEvent): number =>
  input + output;

/**
 * Whether a second report of an observer adds the part, because its first one said nothing of it. The usage of a call that
 * runs in the background comes with the poll that finds it completed.
 */
const isCompleted = (part: Part, known: InvocationEvent, incoming: InvocationEvent): boolean =>
  part === PARTS['usage']
    ? tokensOf(known) === 0 && tokensOf(incoming) > 0
    : richnessOf(part, known) === 0 && richnessOf(part, incoming) > 0;

const isEmpty = (part: Part, event: InvocationEvent): boolean =>
  part.members.every((member) => event[member] === undefined);

/** The observations of a record. A record with one observation does not list it. */
const observationsOf = (event: InvocationEvent, listed: readonly ObservationTrace[] | undefined) =>
  listed ?? [
    {
      ingestion_layer: event.ingestion_layer,
      source_system: event.source_system ?? null,
      supplied: Object.entries(PARTS)
        .filter(([, part]) => !isEmpty(part, event))
        .map(([name]) => name),
    },
  ];

const lowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/**
 * The call of a record together with one more observation of it. Each part comes from the observation that knows most about
 * it, so the result is the same for every order of arrival. A second report of an observer only adds what its first one left
 * out. Null if it adds nothing.
 */
export const mergeObservation = (current: Attribution, sent: InvocationEvent): ObservedCall | null => {
  const known: InvocationEvent = toInvocationEvent(current.record, current.storedEvent);
  const incoming: InvocationEvent = normalizeEvent(sent);
  const observations = observationsOf(known, current.explanation.observations);
  const own = { layer: incoming.ingestion_layer, system: incoming.source_system ?? null };
  const isOwn = ({ ingestion_layer: layer, source_system: system }: ObservationTrace): boolean =>
    identityOf({ layer, system }) === identityOf(own);
  const isRepeat = observations.some(isOwn);

  const candidate: Candidate = { event: incoming, ...own };
  const won = Object.entries(PARTS).flatMap(([name, part]) => {
    if (isRepeat) return isCompleted(part, known, incoming) ? [name] : [];
    if (isEmpty(part, incoming)) return [];
    const holder = observations.find(({ supplied }) => supplied.includes(name));
    if (holder === undefined) return [name];
    const held = { event: known, layer: holder.ingestion_layer, system: holder.source_system };
    return isRicher(part, candidate, held) ? [name] : [];
  });
  if (isRepeat && won.length === 0) return null;
  const taken = won.flatMap((name) => PARTS[name]?.members ?? []);
  const tags = [...new Set([...(known.tags ?? []), ...(incoming.tags ?? [])])].toSorted();
  const merged = {
    ...known,
    ...Object.fromEntries(taken.map((member) => [member, incoming[member]])),
    tags: tags.slice(0, TAGS_MAXIMUM),
    attribution_confidence: lowest(known.attribution_confidence, incoming.attribution_confidence),
  };
  const others = observations.filter((one) => !isOwn(one));
  const supplied = [...(observations.find(isOwn)?.supplied ?? []), ...won];
  // A record with one observation does not list it.
  if (others.length === 0) return { event: merged, observations: undefined };
  const all = [
    ...others.map((one) => ({ ...one, supplied: one.supplied.filter((name) => !won.includes(name)) })),
    { ingestion_layer: own.layer, source_system: own.system, supplied: [...new Set(supplied)] },
  ];
  return {
    event: merged,
    observations: all.toSorted((one, other) =>
      identityOf({ layer: one.ingestion_layer, system: one.source_system }) <
      identityOf({ layer: other.ingestion_layer, system: other.source_system })
        ? -1
        : 1,
    ),
  };
};
