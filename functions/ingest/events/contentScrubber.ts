import { CostBreakdown, INVOCATION_EVENT_FIELDS } from '../../../schemas/ingest/invocationEvent.ts';
import { confidentialReason } from '../../../schemas/labels/confidentialText.ts';

const PATHS_MAXIMUM = 50;
/** The sender chooses member names of any length. Both limits keep a batch response within the Lambda limit of 6 MB. */
const PATH_LENGTH_MAXIMUM = 256;
const PATHS_BYTES_MAXIMUM = 2_048;

/** Last words of member names that contain prompts or model output, as known from common SDKs. */
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

/** Attribute prefixes under which every member is content (OpenTelemetry GenAI, OpenLLMetry, Vercel AI SDK). */
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

/** Collects content paths. Paths repeated by an array are collected once. Paths over the length limit are skipped. */
const collectContentPaths = (value: unknown, path: string, paths: Set<string>): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (paths.size >= PATHS_MAXIMUM) return;
    const memberPath = Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`;
    if (memberPath.length > PATH_LENGTH_MAXIMUM) continue;
    if (!Array.isArray(value) && isContentName(name)) paths.add(memberPath);
    else collectContentPaths(member, memberPath, paths);
  }
};

const BREAKDOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(CostBreakdown.shape));

const pickMembers = (value: object, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));

/** The members that are not in `names`; null when there are none, as for most events. */
const omitMembers = (value: object, names: ReadonlySet<string>): Record<string, unknown> | null => {
  const unknown = Object.keys(value).filter((name) => !names.has(name));
  if (unknown.length === 0) return null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
};

/**
 * The content members of a sent event as dotted paths (at most 50, in 2 KiB), so that the caller sees what was dropped. The
 * allow-list of the event schema drops them. This function only lists them.
 */
export const findContentPaths = (sent: unknown): string[] => {
  if (typeof sent !== 'object' || sent === null) return [];
  const paths = new Set<string>();
  collectContentPaths(omitMembers(sent, INVOCATION_EVENT_FIELDS), '', paths);
  if ('cost_breakdown' in sent && typeof sent.cost_breakdown === 'object' && sent.cost_breakdown !== null) {
    collectContentPaths(omitMembers(sent.cost_breakdown, BREAKDOWN_FIELDS), 'cost_breakdown', paths);
  }
  if (paths.size === 0) return [];
  let remainingBytes = PATHS_BYTES_MAXIMUM;
  return [...paths].sort().filter((path) => {
    remainingBytes -= Buffer.byteLength(JSON.stringify(path));
    return remainingBytes >= 0;
  });
};

/**
 * The part of an invalid event that may be stored: members that the schema names, and only short plain values of them
 * without secrets, since a member with a permitted name may still contain any data.
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
  (typeof value === 'string' && value.length <= PLAIN_LENGTH && confidentialReason(value) === null);

const scrubPlain = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => isPlain(member)));
