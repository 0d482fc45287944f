import { type UnitKind, unitKinds } from '../../../schemas/attribution/unitPrices.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

/** The members of an event that count units other than tokens, by the kind of their price. */
export const UNIT_MEMBER = {
  file_search: 'file_searches',
  code_execution: 'code_executions',
  rerank_search: 'rerank_searches',
  audio_second: 'audio_seconds',
  video_second: 'video_seconds',
  image: 'images',
  page: 'pages',
  character: 'characters',
} as const satisfies Record<UnitKind, keyof InvocationEvent>;
export const UNIT_MEMBERS = Object.values(UNIT_MEMBER);

export interface UnitCount {
  readonly kind: UnitKind;
  readonly count: number;
}

/** The units that a call used. */
export const unitsOf = (event: Pick<InvocationEvent, (typeof UNIT_MEMBERS)[number]>): readonly UnitCount[] =>
  unitKinds.flatMap((kind) => {
    const count = event[UNIT_MEMBER[kind]] ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });

/** Tokens of one medium among those that were read. */
export interface ReadTokens {
  readonly uncached: number;
  readonly cached: number;
  /** False if the producer did not report how many were cached. `cached` is then a lower bound. */
  readonly isCachedKnown: boolean;
}

/**
 * The tokens of a call in buckets that do not overlap, so that none is billed twice: `uncached + cached + cacheWrite` is
 * everything read. Audio and images stay a part of what is read, and with reasoning a part of `output`.
 */
export interface Usage {
  readonly uncached: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour. Null if the producer did not report it. */
  readonly hourWrite: number | null;
  /** Null if the producer did not report it. */
  readonly output: number | null;
  readonly reasoning: number;
  readonly audioInput: ReadTokens;
  readonly imageInput: ReadTokens;
  readonly audioOutput: number;
  readonly imageOutput: number;
  /** Null if the producer did not report them. */
  readonly searches: number | null;
  /** What was used besides tokens and web searches. */
  readonly units: readonly UnitCount[];
  /** False if the producer did not report cache reads. `cached` is then 0, which is only a lower bound. */
  readonly cachedKnown: boolean;
}

type Counts = Pick<
  InvocationEvent,
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'cache_write_1h_tokens'
  | 'audio_input_tokens'
  | 'cached_audio_input_tokens'
  | 'image_input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'audio_output_tokens'
  | 'image_output_tokens'
  | 'web_searches'
  | (typeof UNIT_MEMBERS)[number]
>;

/** Whether the producer reported that the call used anything. */
export const hasUsage = (counts: Counts): boolean =>
  unitsOf(counts).length > 0 ||
  [counts.input_tokens, counts.output_tokens, counts.web_searches].some((count) => (count ?? 0) > 0);

/** Whether the producer reported tokens other than text. */
export const reportsModalities = (counts: Counts): boolean =>
  (counts.audio_input_tokens ?? counts.image_input_tokens) !== undefined ||
  (counts.audio_output_tokens ?? counts.image_output_tokens) !== undefined;

/**
 * Reads the token counts of an event. Returns `usage_missing` without `input_tokens`, because its parts do not
 * determine the total, and `usage_inconsistent` if parts exceed their total (from senders that the schema did not check).
 */
export const readUsage = (counts: Counts): Usage | 'usage_missing' | 'usage_inconsistent' => {
  const { input_tokens: input, output_tokens: output } = counts;
  if (input === undefined) return 'usage_missing';
  const cached = counts.cached_input_tokens ?? 0;
  const cacheWrite = counts.cache_write_tokens ?? 0;
  const reasoning = counts.reasoning_tokens ?? 0;
  const audioOutput = counts.audio_output_tokens ?? 0;
  const imageOutput = counts.image_output_tokens ?? 0;
  const uncached = input - cached - cacheWrite;
  const [audio, image] = [counts.audio_input_tokens ?? 0, counts.image_input_tokens ?? 0];
  if (
    uncached < 0 ||
    audio + image > input ||
    (counts.cache_write_1h_tokens ?? 0) > cacheWrite ||
    (output !== undefined && reasoning + audioOutput + imageOutput > output)
  ) {
    return 'usage_inconsistent';
  }
  // Where nothing says which of the audio and image tokens were cached, those beyond the uncached ones must have been.
  const uncachedAudio = Math.min(audio - (counts.cached_audio_input_tokens ?? 0), uncached);
  const uncachedImage = Math.min(image, uncached - uncachedAudio);
  const cachedAudio = Math.min(audio - uncachedAudio, cached);
  return {
    uncached,
    cached,
    cacheWrite,
    hourWrite: counts.cache_write_1h_tokens ?? null,
    output: output ?? null,
    reasoning,
    audioInput: {
      uncached: uncachedAudio,
      cached: cachedAudio,
      isCachedKnown: counts.cached_audio_input_tokens !== undefined,
    },
    imageInput: {
      uncached: uncachedImage,
      cached: Math.min(image - uncachedImage, cached - cachedAudio),
      isCachedKnown: false,
    },
    audioOutput,
    imageOutput,
    searches: counts.web_searches ?? null,
    units: unitsOf(counts),
    cachedKnown: counts.cached_input_tokens !== undefined,
  };
};
