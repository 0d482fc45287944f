import { confidentialReason } from '../../../schemas/labels/confidentialText.ts';
import { printableText } from '../../../schemas/values.ts';
import { type UnreadCount, unreadLabel } from '../../impact/usage/unreadUsage.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { TokenCounts } from './tokenCounts.ts';

/** Members of an event that a mapping fills. Undefined members are left out. */
export type EventMembers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** How a mapping changed the values of accepted calls, for the sender. Never quotes a value. */
export type Warnings = Set<string>;

/** Text that an event must have but a producer may send in any form. Its call has a cost, so the call is kept. */
export const requiredLabel = (
  name: string,
  value: string | undefined,
  maximum: number,
  warnings: Warnings,
): string => {
  const text = printableText(value ?? '');
  if (text === '') return 'unknown';
  const reason = confidentialReason(text);
  if (reason !== null) {
    warnings.add(`${name} ${reason}. It was replaced by "unknown"`);
    return 'unknown';
  }
  if (text.length > maximum) {
    warnings.add(`${name} must have at most ${maximum} characters. It was cut off`);
  }
  // The cut can leave half of a surrogate pair.
  return printableText(text.slice(0, maximum));
};

/** Most names of unread counts that an event takes. */
const UNREAD_MAXIMUM = 10;
/** Of a longer name the end is kept, which tells what is counted. A name left out would leave the cost certain. */
const UNREAD_NAME_MAXIMUM = 64;

/** Client libraries fill these counts with 0 for each call. They are stored with the event, so only real ones are kept. */
const unlessNone = (count: number | undefined): number | undefined => (count === 0 ? undefined : count);

/** The part of the cache writes for an hour, at most all of them: the tokens of the call have a cost all the same. */
const hourWriteOf = ({ hourWrite, cacheWrite }: TokenCounts): number | undefined =>
  hourWrite === undefined || cacheWrite === undefined ? undefined : Math.min(hourWrite, cacheWrite);

/** The cached part of the audio, if the audio is known too. */
const cachedAudioOf = ({ cachedAudio, audioInput }: TokenCounts): number | undefined =>
  cachedAudio === undefined || (audioInput ?? 0) === 0 ? undefined : Math.min(cachedAudio, audioInput ?? 0);

/** The members of an event. */
export const membersOf = (counts: TokenCounts): EventMembers => ({
  input_tokens: counts.input,
  input_tokens_high: counts.inputHigh,
  output_tokens: counts.output,
  output_tokens_high: counts.outputHigh,
  cached_input_tokens: counts.cacheRead,
  cache_write_tokens: counts.cacheWrite,
  cache_write_1h_tokens: hourWriteOf(counts),
  reasoning_tokens: counts.reasoning,
  audio_input_tokens: unlessNone(counts.audioInput),
  cached_audio_input_tokens: cachedAudioOf(counts),
  image_input_tokens: unlessNone(counts.imageInput),
  audio_output_tokens: unlessNone(counts.audioOutput),
  image_output_tokens: unlessNone(counts.imageOutput),
  web_searches: unlessNone(counts.searches),
});

/** Usage that has no tokens, by the members of an event. */
export interface OtherUsage {
  readonly file_searches?: number | undefined;
  readonly code_executions?: number | undefined;
  readonly rerank_searches?: number | undefined;
  readonly audio_seconds?: number | undefined;
  readonly video_seconds?: number | undefined;
  readonly images?: number | undefined;
  readonly pages?: number | undefined;
  readonly characters?: number | undefined;
}

/** The members of an event for usage without tokens, and the counts that have no member. */
export const otherUsageMembers = (usage: OtherUsage, unread: readonly UnreadCount[]): EventMembers => ({
  ...Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, unlessNone(count)])),
  unread_usage:
    unread.length === 0
      ? undefined
      : unread.slice(0, UNREAD_MAXIMUM).map((one) => unreadLabel(one, UNREAD_NAME_MAXIMUM)),
});

/** The cost that a source reports. `isStated`: by who charges for the call, not computed from a price list. */
export const costMembers = (amount: string | undefined, isStated: boolean): EventMembers =>
  amount === undefined ? {} : { estimated_cost_usd: amount, cost_source: isStated ? 'provider' : 'estimate' };

/** Fewer characters are no unique id: small servers number their responses, and start again at each restart. */
const UNIQUE_ID_LENGTH = 16;

/** Whether an id that a provider or a gateway gave is long enough to be unique. */
export const isUniqueId = (id: string | undefined): id is string =>
  id !== undefined && id.length >= UNIQUE_ID_LENGTH;

/**
 * The id that the provider gave a response. LiteLLM encodes its routing around it:
 * `resp_` and, in base64, `litellm:custom_llm_provider:…;model_id:…;response_id:…`.
 */
const providersId = (responseId: string): string => {
  const [, encoded] = /^resp_([A-Za-z0-9+/_-]+=*)$/.exec(responseId) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  return /^litellm:.*;response_id:([\w-]+)$/.exec(decoded)?.[1] ?? responseId;
};

/** A UUID-shaped id from any parts that identify a call. */
export const eventIdOf = (...parts: readonly string[]): string => {
  const hex = sha256Of('otlp', ...parts).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
};

/** The event id of a call that is known by an id of its response or its request. */
export const eventIdOfCall = (id: string): string => eventIdOf('response', providersId(id));

/** Who made an id, by its prefix: `chatcmpl-…`, `msg_…`, `resp_…`, `req_…`. Undefined for one without a known form. */
export const idStyleOf = (id: string): string | undefined => /^([a-z]{2,12})[_-](?=.{8})/.exec(id)?.[1];

/** The most ids of a call besides the one that its event id follows from. */
const CALL_IDS_MAXIMUM = 4;

/** Ids of a call in what its observer says. */
interface CallIds {
  readonly responses?: readonly (string | undefined)[];
  /** Of requests, by who gave them: the provider or the gateway, one for each call. */
  readonly requests?: readonly (string | undefined)[];
  /** Of requests, from whomever. Callers pass such ids on, so several calls can have one. */
  readonly mentioned?: readonly (string | undefined)[];
}

/**
 * The members that identify a call. Its event id follows from the first of its ids that is long enough to be unique, so that the
 * same call seen by an application, a gateway and a framework makes one record: an id that the provider gave to the request, which
 * its own log has, else that of the response. Without one it follows from `fallback`, which identifies the observation.
 */
export const identityMembers = (
  { responses = [], requests = [], mentioned = [] }: CallIds,
  ...fallback: readonly string[]
): EventMembers => {
  const known = responses.filter(isUniqueId).map(providersId);
  const given = [...requests.filter(isUniqueId), ...known];
  const [first] = given;
  const kind = known.length > 0 ? 'response' : 'request';
  const style = first === undefined ? undefined : idStyleOf(known[0] ?? first);
  const others = [...new Set([...given, ...mentioned.filter(isUniqueId)])].filter((id) => id !== first);
  return {
    event_id: first === undefined ? eventIdOf(...fallback) : eventIdOfCall(first),
    id_basis: first === undefined ? 'observation' : `${kind}${style === undefined ? '' : `.${style}`}`,
    call_ids: others.length === 0 ? undefined : others.slice(0, CALL_IDS_MAXIMUM),
  };
};

const NANOSECONDS = 1_000_000n;

/** Units of time that exporters confuse, by the smallest time of our days in the next finer unit, and what one of it has. */
const UNITS = [
  { below: 10n ** 11n, nanoseconds: 10n ** 9n },
  { below: 10n ** 14n, nanoseconds: 10n ** 6n },
  { below: 10n ** 17n, nanoseconds: 10n ** 3n },
] as const;

/** Unix nanoseconds of a time that may be in seconds, milliseconds or microseconds. Its size tells. */
const nanosecondsOf = (time: bigint): bigint =>
  time * (UNITS.find(({ below }) => time < below)?.nanoseconds ?? 1n);

/** An ISO timestamp of Unix nanoseconds. Undefined for 0, which means unknown, and for times beyond the range of dates. */
export const timestampOf = (time: bigint): string | undefined => {
  const milliseconds = Number(nanosecondsOf(time) / NANOSECONDS);
  return milliseconds > 0 && milliseconds < 8.64e15 ? new Date(milliseconds).toISOString() : undefined;
};

/** Whole milliseconds between two Unix nanoseconds. Undefined if the end is unknown or before the start. */
export const durationOf = (start: bigint, end: bigint): number | undefined =>
  start > 0n && end >= start ? Number((nanosecondsOf(end) - nanosecondsOf(start)) / NANOSECONDS) : undefined;

/**
 * The cloud region or data area in the address of an endpoint, a host name or a URL: of Amazon Bedrock and Vertex AI, their global
 * endpoints included, of Azure, and of OpenAI, whose areas have hosts of their own.
 */
export const regionOf = (address = ''): string | undefined => {
  const name = URL.canParse(address) ? new URL(address).hostname : address;
  if (name === 'aiplatform.googleapis.com') return 'global';
  return (/^bedrock(?:-runtime|-mantle)?(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(name) ??
    /^([a-z]+-[a-z]+\d+)-aiplatform\.googleapis\.com$/.exec(name) ??
    /^aiplatform\.(us|eu)\.rep\.googleapis\.com$/.exec(name) ??
    /^([a-z]+\d?)\.api\.cognitive\.microsoft\.com$/.exec(name) ??
    /^(us|eu)\.api\.openai\.com$/.exec(name))?.[1];
};
