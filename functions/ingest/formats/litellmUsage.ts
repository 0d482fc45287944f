import type { UnreadCount } from '../../impact/usage/unreadUsage.ts';
import type { OtherUsage, Warnings } from './observedCall.ts';
import { iterationTokens, providerUsage } from './providerUsage.ts';
import { decideCounts } from './tokenCounts.ts';
import { countAt, memberAt, textAt, toCount, unreadCounts } from './values.ts';

const first = (...counts: readonly (number | undefined)[]) => counts.find((count) => count !== undefined);

const INPUT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/** Tokens of iterations that the counts leave out. Later versions of LiteLLM add them. */
const leftOutOf = (payload: unknown, usage: unknown) => {
  const inputOf = (which: 'own' | 'compaction') =>
    INPUT.reduce((sum, name) => sum + iterationTokens(usage, name, which), 0);
  const isLeftOut = (countAt(payload, 'prompt_tokens') ?? 0) < inputOf('own');
  const compacted = (name: string) => (isLeftOut ? iterationTokens(usage, name, 'compaction') : 0);
  return {
    input: isLeftOut ? inputOf('compaction') : 0,
    output: compacted('output_tokens'),
    cacheRead: compacted('cache_read_input_tokens'),
    cacheWrite: compacted('cache_creation_input_tokens'),
    writtenFor: (time: '5m' | '1h') => compacted(`ephemeral_${time}_input_tokens`),
  };
};

/** The parts of a count, as the APIs of OpenAI for chats name them, or those for responses and images. */
const detailsOf = (usage: unknown, side: 'prompt' | 'completion'): unknown =>
  memberAt(usage, `${side}_tokens_details`) ??
  memberAt(usage, side === 'prompt' ? 'input_tokens_details' : 'output_tokens_details');

const plus = (count: number | undefined, more: number): number | undefined =>
  count === undefined ? undefined : count + more;

/** The tokens and searches of a call. */
export const countsOf = (payload: unknown, warnings: Warnings) => {
  const usage = memberAt(payload, 'metadata', 'usage_object');
  const leftOut = leftOutOf(payload, usage);
  const [read, written] = [detailsOf(usage, 'prompt'), detailsOf(usage, 'completion')];
  const keptFor = (time: '5m' | '1h'): number | undefined =>
    plus(
      first(
        countAt(read, 'cache_creation_token_details', `ephemeral_${time}_input_tokens`),
        countAt(usage, 'cache_creation', `ephemeral_${time}_input_tokens`),
      ),
      leftOut.writtenFor(time),
    );
  return decideCounts(
    {
      input: plus(countAt(payload, 'prompt_tokens'), leftOut.input),
      output: plus(countAt(payload, 'completion_tokens'), leftOut.output),
      cacheRead: plus(
        first(countAt(usage, 'cache_read_input_tokens'), countAt(read, 'cached_tokens')),
        leftOut.cacheRead,
      ),
      cacheWrite: plus(
        first(
          countAt(usage, 'cache_creation_input_tokens'),
          countAt(read, 'cache_creation_tokens'),
          countAt(read, 'cache_write_tokens'),
        ),
        leftOut.cacheWrite,
      ),
      hourWrite: keptFor('1h'),
      fiveMinuteWrite: keptFor('5m'),
      reasoning: first(countAt(written, 'reasoning_tokens'), countAt(usage, 'reasoning_tokens')),
      audioInput: countAt(read, 'audio_tokens'),
      cachedAudio: countAt(read, 'cached_tokens_details', 'audio_tokens'),
      imageInput: countAt(read, 'image_tokens'),
      audioOutput: countAt(written, 'audio_tokens'),
      imageOutput: countAt(written, 'image_tokens'),
      totals: [plus(countAt(payload, 'total_tokens'), leftOut.input + leftOut.output) ?? []].flat(),
      searches: first(
        providerUsage(usage).searches,
        countAt(read, 'web_search_requests'),
        countAt(usage, 'num_search_queries'),
      ),
    },
    { source: 'litellm', provider: textAt(payload, 'custom_llm_provider') },
    warnings,
  );
};

/** Counts of the usage that are read, or that count what others contain. */
const READ: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
  'num_search_queries',
  'num_sources_used',
  'num_server_side_tools_used',
  'cost_in_usd_ticks',
  'search_units',
  'pages_processed',
  'seconds',
  'duration_seconds',
  'cost',
]);
const READ_DETAILS: ReadonlySet<string> = new Set([
  'cached_tokens',
  'cache_creation_tokens',
  'cache_write_tokens',
  'audio_tokens',
  'image_tokens',
  'text_tokens',
  'reasoning_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
  'web_search_requests',
  'character_count',
  'image_count',
  'audio_length_seconds',
  'video_length_seconds',
]);

/** Seconds that a provider charges: begun ones count whole. */
const secondsAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const seconds = memberAt(value, ...path);
  return typeof seconds === 'number' && seconds > 0 ? toCount(Math.ceil(seconds)) : undefined;
};

/** What was used besides tokens. The number of images is a parameter of the request. */
export const otherUsageOf = (payload: unknown, usage: unknown): OtherUsage => {
  const callType = textAt(payload, 'call_type') ?? '';
  const prompt = detailsOf(usage, 'prompt');
  const seconds = first(secondsAt(usage, 'seconds'), secondsAt(usage, 'duration_seconds'));
  const isVideo = callType.includes('video');
  return {
    ...providerUsage(usage).other,
    rerank_searches: countAt(usage, 'search_units'),
    audio_seconds: first(isVideo ? undefined : seconds, secondsAt(prompt, 'audio_length_seconds')),
    video_seconds: first(isVideo ? seconds : undefined, secondsAt(prompt, 'video_length_seconds')),
    images: first(
      countAt(prompt, 'image_count'),
      /image_(?:generation|edit|variation)/.test(callType)
        ? (countAt(payload, 'model_parameters', 'n') ?? 1)
        : undefined,
    ),
    pages: countAt(usage, 'pages_processed'),
    characters: countAt(prompt, 'character_count'),
  };
};

/** Names of counts that are not read. They can set a price. */
export const unreadOf = (usage: unknown): readonly UnreadCount[] => [
  ...unreadCounts(usage, READ),
  ...unreadCounts(detailsOf(usage, 'prompt'), READ_DETAILS),
  ...unreadCounts(detailsOf(usage, 'completion'), READ_DETAILS),
  ...providerUsage(usage).unread,
];
