import { CostBreakdown, INVOCATION_EVENT_FIELDS } from '../../schemas/ingestion/invocationEvent.ts';

const PATHS_MAXIMUM = 50;
/** Names are the sender's own and as long as it likes: these two keep a batch's answer within Lambda's 6 MB. */
const PATH_LENGTH_MAXIMUM = 256;
const PATHS_BYTES_MAXIMUM = 2_048;

/** Words that end the name of a member which holds what a person wrote or a model answered, in every spelling seen. */
const CONTENT_WORDS = new Set([
  'prompt',
  'prompts',
  'completion',
  'completions',
  'message',
  'messages',
  'content',
  'contents',
  'input',
  'inputs',
  'output',
  'outputs',
  'text',
  'texts',
  'arguments',
  'args',
  'response',
  'responses',
  'request',
  'system',
  'instructions',
  'instruction',
  'choices',
  'query',
  'question',
  'answer',
  'body',
  'json',
  'definitions',
  'result',
  'results',
  'transcript',
  'document',
  'documents',
  'traceback',
]);

/** Families of attributes whose every member is content (OpenTelemetry GenAI, OpenLLMetry, Vercel AI SDK). */
const CONTENT_PREFIXES = [
  'gen_ai.prompt.',
  'gen_ai.completion.',
  'gen_ai.content.',
  'llm.prompts.',
  'ai.prompt.',
];

/** `gen_ai.input.messages`, `inputBodyJson` and `PROMPT` are content; `prompt_tokens` is not. */
const isContentName = (name: string): boolean => {
  if (CONTENT_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return CONTENT_WORDS.has(words.findLast((word) => word !== '') ?? '');
};

/** A path counts once, however often an array repeats it; one that is too long to tell is left out. */
const collectContentPaths = (value: unknown, path: string, found: Set<string>): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (found.size >= PATHS_MAXIMUM) return;
    const here = Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`;
    if (here.length > PATH_LENGTH_MAXIMUM) continue;
    if (!Array.isArray(value) && isContentName(name)) found.add(here);
    else collectContentPaths(member, here, found);
  }
};

const BREAKDOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(CostBreakdown.shape));

const pickMembers = (value: object, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));

/** The members beyond those named; null where there are none, as with most events. */
const omitMembers = (value: object, names: ReadonlySet<string>): Record<string, unknown> | null => {
  const unknown = Object.keys(value).filter((name) => !names.has(name));
  if (unknown.length === 0) return null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
};

/**
 * The content members an event was sent with, as dotted paths (at most 50, in 2 KiB), for the caller to see what was
 * dropped. The allow-list of the event's schema is what drops them; this only names them.
 */
export const findContentPaths = (sent: unknown): string[] => {
  if (typeof sent !== 'object' || sent === null) return [];
  const found = new Set<string>();
  collectContentPaths(omitMembers(sent, INVOCATION_EVENT_FIELDS), '', found);
  if ('cost_breakdown' in sent && typeof sent.cost_breakdown === 'object' && sent.cost_breakdown !== null) {
    collectContentPaths(omitMembers(sent.cost_breakdown, BREAKDOWN_FIELDS), 'cost_breakdown', found);
  }
  if (found.size === 0) return [];
  let remainingBytes = PATHS_BYTES_MAXIMUM;
  return [...found].sort().filter((path) => {
    remainingBytes -= Buffer.byteLength(JSON.stringify(path));
    return remainingBytes >= 0;
  });
};

/**
 * What may be kept of an event that did not pass its schema: the members the schema names, and of those only
 * short plain values, since a member with a permitted name may still hold anything.
 */
export const scrubEvent = (sent: unknown): Record<string, unknown> => {
  if (typeof sent !== 'object' || sent === null) return {};
  const kept = Object.entries(pickMembers(sent, INVOCATION_EVENT_FIELDS)).flatMap(
    ([name, value]): [string, unknown][] => {
      if (name === 'cost_breakdown' && typeof value === 'object' && value !== null) {
        return [[name, scrubPlain(pickMembers(value, BREAKDOWN_FIELDS))]];
      }
      if (Array.isArray(value)) return [[name, value.filter(isPlain).slice(0, 20)]];
      return isPlain(value) ? [[name, value]] : [];
    },
  );
  return Object.fromEntries(kept);
};

const PLAIN_LENGTH = 512;

const isPlain = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= PLAIN_LENGTH);

const scrubPlain = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => isPlain(member)));
