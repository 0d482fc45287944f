import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

type Event = Readonly<Record<string, unknown>>;

/** What was used, by the members of an event. */
const COUNTS = [
  ...['input_tokens', 'output_tokens', 'cached_input_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'],
  ...['reasoning_tokens', 'audio_input_tokens', 'cached_audio_input_tokens', 'image_input_tokens'],
  ...['audio_output_tokens', 'image_output_tokens', 'web_searches', 'file_searches', 'code_executions'],
  ...['rerank_searches', 'audio_seconds', 'video_seconds', 'images', 'pages', 'characters'],
];
/** What makes the cost a range. */
const UNSURE = ['unread_usage', 'input_tokens_high', 'output_tokens_high'];
/** What else sets the cost. */
const TERMS = ['estimated_cost_usd', 'cost_source', 'unread_cost', 'service_tier', 'billing_mode'];

/** They belong together: one convention of counting covers them all. */
const USAGE = [...COUNTS, ...UNSURE, ...TERMS];
const NONE: Partial<InvocationEvent> = Object.fromEntries(USAGE.map((name) => [name, undefined]));

/** What an event says of the usage of its call. */
export const usageIn = (event: object): Partial<InvocationEvent> =>
  Object.fromEntries(
    Object.entries(event).filter(([name, value]) => Object.hasOwn(NONE, name) && (value ?? null) !== null),
  );

/** An event with the usage of another report of its call. What that does not state is undefined. */
export const withUsage = <Of extends object>(event: Of, usage: object): Of => ({
  ...event,
  ...NONE,
  ...usage,
});

const stated = (event: Event, members: readonly string[]): number =>
  members.filter((member) => event[member] !== undefined).length;

const isCharged = (event: Event): boolean => event['cost_source'] === 'provider';

/** Whether two spans counted one call, or only the upper one did. The input of the lower one can leave out what a cache had. */
const agree = (upper: Event, lower: Event): boolean =>
  stated(lower, ['input_tokens', 'output_tokens']) === 0 ||
  (upper['output_tokens'] === lower['output_tokens'] &&
    Number(upper['input_tokens'] ?? 0) >= Number(lower['input_tokens'] ?? 0));

/** Whether a span above a call states whatever the call does of its usage. */
const statesAll = (upper: Event, lower: Event): boolean =>
  [...COUNTS, ...TERMS].every((member) => lower[member] === undefined || upper[member] !== undefined);

/** How many counts an event states, how many of them are unsure, and whether it states what was charged. */
export type Knowledge = readonly [counts: number, unsure: number, charges: number];
export const knowledgeIn = (event: Event): Knowledge => [
  stated(event, COUNTS),
  stated(event, UNSURE),
  isCharged(event) ? 1 : 0,
];

/** Whether an event can know more of the usage than another one, and is no less sure. */
export const canKnowMore = (upper: Knowledge, lower: Knowledge): boolean =>
  upper[1] <= lower[1] && (upper[1] < lower[1] || upper[0] > lower[0] || upper[2] > lower[2]);

/** Whether a span above a call knows more of its usage than the call itself, and nothing less. */
export const knowsMore = (upper: Event, lower: Event): boolean =>
  canKnowMore(knowledgeIn(upper), knowledgeIn(lower)) && statesAll(upper, lower) && agree(upper, lower);

/**
 * The event of a lowest call with what the calls above it know of its usage. Instrumentations of an SDK leave out what the
 * framework above them reports, such as the cached tokens of Bedrock or the cost.
 */
export const fullerEvent = (lowest: Event, above: readonly Event[]): Event => {
  const fuller = above.reduce(
    (event, upper) => (knowsMore(upper, event) ? withUsage(event, usageIn(upper)) : event),
    lowest,
  );
  if (fuller === lowest) return lowest;
  return Object.fromEntries(Object.entries(fuller).filter(([, value]) => value !== undefined));
};
