import type { TrackedEvent, Tracker } from './tracker.ts';

/** The members of AI SDK 7 events that are read. The events also carry content, which is never touched. */
interface ModelCall {
  readonly provider: string;
  readonly modelId: string;
  readonly responseId?: string;
  readonly usage: {
    readonly inputTokens: number | undefined;
    readonly inputTokenDetails?: {
      readonly cacheReadTokens: number | undefined;
      readonly cacheWriteTokens: number | undefined;
    };
    readonly outputTokens: number | undefined;
    readonly outputTokenDetails?: { readonly reasoningTokens: number | undefined };
  };
  readonly performance?: { readonly responseTimeMs: number };
}

interface EmbeddingCall {
  readonly provider: string;
  readonly modelId: string;
  readonly usage: { readonly tokens: number };
}

/** An integration for `registerTelemetry` of AI SDK 7, or for `telemetry.integrations` of one call. */
export interface AttributionTelemetry {
  readonly onLanguageModelCallEnd: (call: ModelCall) => void;
  readonly onEmbedEnd: (call: EmbeddingCall) => void;
}

/** `openai.responses` is the provider `openai` with one of its APIs. */
const providerOf = (provider: string): string => provider.split('.')[0] ?? provider;

/** Providers leave out counts that they do not know, which are not zero. */
const stated = (counts: Readonly<Record<string, number | undefined>>): Partial<TrackedEvent> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));

/** Without counts the cost of the call is unknown, which is not zero. */
const countsOf = ({ inputTokens, outputTokens, ...details }: ModelCall['usage']): Partial<TrackedEvent> =>
  inputTokens === undefined && outputTokens === undefined
    ? { status: 'incomplete' }
    : stated({
        input_tokens: inputTokens,
        cached_input_tokens: details.inputTokenDetails?.cacheReadTokens,
        cache_write_tokens: details.inputTokenDetails?.cacheWriteTokens,
        output_tokens: outputTokens,
        reasoning_tokens: details.outputTokenDetails?.reasoningTokens,
      });

/**
 * Records the model calls of AI SDK 7. Only the end of each model call is used: the ends of steps and of the whole generation
 * repeat its counts. `event` has members that every event gets, such as `attributed_service`.
 */
export const attributionTelemetry = (
  tracker: Tracker,
  event: Partial<TrackedEvent> = {},
): AttributionTelemetry => ({
  onLanguageModelCallEnd: (call) =>
    tracker.record(() => ({
      provider: providerOf(call.provider),
      requested_model: call.modelId,
      ...countsOf(call.usage),
      ...(call.responseId !== undefined && { response_id: call.responseId }),
      ...(call.performance !== undefined && { latency_ms: Math.round(call.performance.responseTimeMs) }),
      ...event,
    })),
  onEmbedEnd: (call) =>
    tracker.record(() => ({
      provider: providerOf(call.provider),
      requested_model: call.modelId,
      operation: 'embeddings',
      input_tokens: call.usage.tokens,
      ...event,
    })),
});
