/** Whether a producer counts some tokens within a larger count, or beside it. `unclear`: its versions or models differ. */
export type Placement = 'within' | 'beside' | 'unclear';

/** What tells who counted: nothing of it is content. */
export interface CountingMarks {
  /** Name of the instrumentation scope of a span, or of the log format. */
  readonly source: string;
  readonly version?: string | undefined;
  /** The provider as the producer names it, and the model. Their API sets how an SDK counts that passes counts on. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** Names of attributes of the call. */
  readonly has?: (name: string) => boolean;
  /** What the producer itself says: whether its input tokens are `inclusive` of cached tokens. */
  readonly semantics?: string | undefined;
}

interface Convention {
  readonly source?: RegExp;
  /** Tested against `provider model`, in lower case. */
  readonly served?: RegExp;
  /** The first version for which this is not known. */
  readonly until?: string;
  readonly semantics?: RegExp;
  /** One of these attributes marks the convention. */
  readonly marker?: readonly string[];
  readonly cached?: Placement;
  readonly reasoning?: Placement;
  /**
   * What a stated total proves. `sum`: it adds up the input and output counts, whatever they leave out, so it proves
   * nothing unless it exceeds them. `nothing`: it is wrong at times. Default: it decides.
   */
  readonly total?: 'sum' | 'nothing';
}

const CLAUDE = /anthropic|claude/;
/** Counts of Anthropic and of the Converse API leave cached tokens out of the input tokens. */
const EXCLUSIVE_API = /anthropic|claude|bedrock|aws|amazon/;

/** Gateways whose API counts as that of OpenAI does, for every model. */
const OPENAI_SHAPED = /^(?:openrouter|litellm|portkey|github|copilot)/;

/**
 * Conventions of producers, from their sources. The first row that places a kind of tokens counts. Rows without a source
 * are the APIs of providers, whose counts most SDKs pass on.
 */
const CONVENTIONS: readonly Convention[] = [
  // A producer that states that it follows the conventions, or that it does not. Without a statement it passes on the counts of
  // the provider. https://github.com/grafana/agento11y
  { semantics: /^inclusive$/i, cached: 'within', reasoning: 'within' },
  { semantics: /^(?:exclusive|disjoint)$/i, cached: 'beside', total: 'sum' },
  // Streams of these models count cached tokens within the input, and again in the total; other calls count them beside.
  // https://github.com/maximhq/bifrost/pull/6942
  { served: /(?:^|[ .])openai\.gpt-(?!oss)/, cached: 'unclear', total: 'nothing' },

  // Logs.
  // https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
  { source: /^bedrock log$/, cached: 'beside', reasoning: 'within' },
  { source: /^vertex log$/, served: CLAUDE, cached: 'beside', reasoning: 'within' },
  // https://ai.google.dev/api/generate-content#UsageMetadata
  { source: /^(?:vertex log|gemini_cli)$/, cached: 'within', reasoning: 'beside' },
  // https://docs.claude.com/en/docs/claude-code/monitoring-usage
  { source: /(?:^|\.)claude_code(?:$|\.)/, cached: 'beside', reasoning: 'within' },
  { source: /^codex$/, cached: 'within', reasoning: 'within' },
  // Its metric has a type for each of these counts: https://cursor.com/docs/enterprise/opentelemetry-export/wire
  { source: /^cursor\.telemetry$/, cached: 'beside' },
  // https://github.com/cline/cline src/api/providers: each one takes cached tokens out of the input.
  { source: /^cline$/, cached: 'beside', reasoning: 'within' },
  // The SDKs and the API of Claude follow the conventions: https://platform.claude.com/docs/en/api/opentelemetry/spans
  { source: /^com\.anthropic\./, cached: 'within', reasoning: 'within' },
  // LiteLLM adds cached tokens to the prompt for every provider. https://github.com/BerriAI/litellm/pull/9221
  { source: /^litellm(?:$|[ ._-])/, cached: 'within', reasoning: 'within' },

  // Vercel AI SDK 6 and later have details of each count. Earlier ones pass on the counts of the provider, and their
  // total for Anthropic is a sum. https://github.com/vercel/ai/issues/8794
  {
    source: /^ai$/,
    marker: [
      'ai.usage.inputTokenDetails.noCacheTokens',
      'ai.usage.inputTokenDetails.cacheReadTokens',
      'ai.usage.inputTokenDetails.cacheWriteTokens',
      'ai.usage.outputTokenDetails.reasoningTokens',
    ],
    cached: 'within',
    reasoning: 'within',
  },
  { source: /^gen_ai$/, cached: 'within', reasoning: 'within' },
  { source: /^ai$/, served: OPENAI_SHAPED, cached: 'within', reasoning: 'within' },
  { source: /^ai$/, served: /^(?:gateway|vercel)/, cached: 'unclear', total: 'sum' },
  { source: /^ai$/, served: EXCLUSIVE_API, cached: 'beside', reasoning: 'within', total: 'sum' },

  // OpenLLMetry adds cached tokens for Anthropic, but not for Converse. https://github.com/traceloop/openllmetry/issues/4449
  {
    source: /^opentelemetry\.instrumentation\.bedrock$/,
    until: '0.63',
    cached: 'beside',
    reasoning: 'within',
    total: 'sum',
  },
  { source: /^opentelemetry\.instrumentation\.bedrock$/, cached: 'unclear', total: 'sum' },
  { source: /^opentelemetry\.instrumentation\.anthropic$/, cached: 'within', reasoning: 'within' },
  // In JavaScript it passes on the counts of the response, and adds them up. Seen of 0.27.0.
  { source: /^@traceloop\/instrumentation-anthropic$/, cached: 'beside', reasoning: 'within', total: 'sum' },
  // https://github.com/Arize-ai/openinference/pull/1429, https://github.com/Arize-ai/openinference/pull/3734
  { source: /^openinference\.instrumentation\.anthropic$/, cached: 'within', reasoning: 'within' },
  // Streams of Nova have no total, so that it is a sum. The total of Converse decides.
  {
    source: /^openinference\.instrumentation\.bedrock$/,
    served: /nova/,
    cached: 'beside',
    reasoning: 'within',
    total: 'sum',
  },
  { source: /^openinference\.instrumentation\.bedrock$/, cached: 'unclear', reasoning: 'within' },
  // It passes on what RubyLLM counts, without cached tokens, until they are added:
  // https://github.com/thoughtbot/opentelemetry-instrumentation-ruby_llm/pull/38
  { source: /^OpenTelemetry::Instrumentation::RubyLLM$/, cached: 'unclear', reasoning: 'within' },
  // https://github.com/langchain-ai/langchain/pull/27125
  { source: /langchain|langgraph|langsmith/, cached: 'within' },
  // Strands passes on the counts of its model client, and adds cached tokens in later versions. Its total is that of
  // Converse, or a sum. https://github.com/strands-agents/harness-sdk/pull/4080
  { source: /^strands/, served: EXCLUSIVE_API, cached: 'unclear', reasoning: 'within', total: 'sum' },
  { source: /^pydantic-ai/, served: /bedrock/, cached: 'unclear', reasoning: 'within' },
  { source: /^pydantic-ai/, cached: 'within', reasoning: 'within' },
  // Google ADK passes on the counts of Gemini under the first name, and adds them up under the second, of its later versions.
  // https://github.com/google/adk-python src/google/adk/telemetry
  {
    source: /^gcp\.vertex\.agent$/,
    served: /gemini/,
    marker: ['gen_ai.usage.experimental.reasoning_tokens'],
    cached: 'within',
    reasoning: 'beside',
  },
  {
    source: /^gcp\.vertex\.agent$/,
    marker: ['gen_ai.usage.reasoning.output_tokens'],
    cached: 'within',
    reasoning: 'within',
  },
  { source: /google[._-]genai/, cached: 'within', reasoning: 'within' },

  // The kinds of tokens that it charges: https://docs.snowflake.com/en/sql-reference/account-usage/cortex_code_cli_usage_history
  { served: /^snowflake/, cached: 'beside' },
  // The APIs of providers.
  { served: OPENAI_SHAPED, cached: 'within', reasoning: 'within' },
  {
    served: /^(?:openai|azure|az\.ai|deepseek|groq|mistral|moonshot|together|fireworks|cerebras)/,
    cached: 'within',
    reasoning: 'within',
  },
  // Anthropic states no total, and that of Converse exceeds its counts: one that equals them is the sum of a client.
  { served: EXCLUSIVE_API, cached: 'unclear', reasoning: 'within', total: 'sum' },
  // They count reasoning beside the output, and only some SDKs add it. https://github.com/vercel/ai/issues/12425
  { served: /^(?:x[-_ ]?ai|gcp|google|vertex|gemini)|gemini|grok/, cached: 'within', reasoning: 'unclear' },
  { served: /gpt-|deepseek|qwen|kimi|glm|llama|mistral/, cached: 'within', reasoning: 'within' },
];

const partsOf = (version: string): number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Whether a version is at least another one. Unknown versions are not. */
export const isAtLeast = (version: string | undefined, other: string): boolean => {
  if (version === undefined) return false;
  const [own, bound] = [partsOf(version), partsOf(other)];
  const difference = bound.map((part, index) => (own[index] ?? 0) - part).find((value) => value !== 0);
  return difference === undefined || difference > 0;
};

const applies = (row: Convention, marks: CountingMarks, served: string): boolean =>
  (row.source === undefined || row.source.test(marks.source)) &&
  (row.served === undefined || row.served.test(served)) &&
  (row.semantics === undefined || row.semantics.test(marks.semantics ?? '')) &&
  (row.until === undefined || !isAtLeast(marks.version, row.until)) &&
  (row.marker === undefined || row.marker.some((name) => marks.has?.(name) === true));

export interface ProducerConvention {
  readonly cached: Placement;
  readonly reasoning: Placement;
  readonly total: 'decides' | 'sum' | 'nothing';
}

/** How a producer counts, as far as its marks tell. */
export const producerConvention = (marks: CountingMarks): ProducerConvention => {
  const served = `${marks.provider ?? ''} ${marks.model ?? ''}`.toLowerCase();
  const rows = CONVENTIONS.filter((row) => applies(row, marks, served));
  const cached = rows.find((row) => row.cached !== undefined);
  return {
    cached: cached?.cached ?? 'unclear',
    reasoning: rows.find((row) => row.reasoning !== undefined)?.reasoning ?? 'unclear',
    total: cached?.total ?? 'decides',
  };
};
