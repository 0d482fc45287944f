import type { TrackedEvent, Tracker } from './tracker.ts';

/** The members of AI SDK 7 events that are read. The events also carry content, which is never touched. */
interface ModelCall {
  readonly provider: string;
  readonly modelId: string;
  readonly responseId?: string;
  readonly usage?: {
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
  readonly usage?: { readonly tokens: number };
}

/** An integration for `registerTelemetry` of AI SDK 7, or for `telemetry.integrations` of one call. */
export interface AttributionTelemetry {
  readonly onLanguageModelCallEnd: (call: ModelCall) => void;
  readonly onEmbedEnd: (call: EmbeddingCall) => void;
}

/** `openai.responses` is the provider `openai` with one of its APIs. */
const providerOf = (provider: unknown): string => /^[^.]+/.exec(String(provider))?.[0] ?? 'unknown';

/** Providers leave out counts that they do not know, which are not zero. An embedding has NaN then. */
const stated = (counts: Readonly<Record<string, number | undefined>>): Partial<TrackedEvent> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => (count ?? -1) >= 0));

/** Without counts the cost of the call is unknown, which is not zero. */
const countsOf = (usage: ModelCall['usage']): Partial<TrackedEvent> => {
  const counts = stated({
    input_tokens: usage?.inputTokens,
    cached_input_tokens: usage?.inputTokenDetails?.cacheReadTokens,
    cache_write_tokens: usage?.inputTokenDetails?.cacheWriteTokens,
    output_tokens: usage?.outputTokens,
    reasoning_tokens: usage?.outputTokenDetails?.reasoningTokens,
  });
  return (counts.input_tokens ?? counts.output_tokens) === undefined ? { status: 'incomplete' } : counts;
};

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
      ...stated({ input_tokens: call.usage?.tokens }),
      ...event,
    })),
});
