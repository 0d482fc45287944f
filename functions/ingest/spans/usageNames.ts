import { statedName } from './callWords.ts';
import { wordedName } from './usageWords.ts';

/**
 * What producers send about the usage of a call and its price, by the name under which a mapping reads it: names of the
 * conventions that counts under other spellings must not replace, then those whose words do not tell what they count.
 */
export const usageNames = {
  inputTokens: [
    'gen_ai.usage.input_tokens',
    wordedName('inputTokens'),
    'ai.usage.tokens',
    wordedName('inputTokens', 'elsewhere'),
    'req_units',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    wordedName('outputTokens'),
    wordedName('outputTokens', 'elsewhere'),
    'res_units',
  ],
  totalTokens: [
    wordedName('totalTokens'),
    wordedName('totalTokens', 'elsewhere'),
    'braintrust.metrics.tokens',
  ],
  tokenSemantics: ['gen_ai.token.semantics'],
  /** Marks of how a producer counts. */
  countingMarks: [
    'ai.usage.inputTokenDetails.noCacheTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
  cacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    wordedName('cacheRead'),
    wordedName('cacheRead', 'elsewhere'),
  ],
  cacheWrite: [
    'gen_ai.usage.cache_write.input_tokens',
    wordedName('cacheWrite'),
    wordedName('cacheWrite', 'elsewhere'),
  ],
  hourWrite: [wordedName('hourWrite'), wordedName('hourWrite', 'elsewhere')],
  fiveMinuteWrite: [wordedName('fiveMinuteWrite'), wordedName('fiveMinuteWrite', 'elsewhere')],
  uncachedInput: [wordedName('uncachedInput'), wordedName('uncachedInput', 'elsewhere')],
  /** Tokens of text beside the input and the output. */
  textInput: [wordedName('textInput')],
  textOutput: [wordedName('textOutput')],
  /** Input of tools, which Gemini counts beside the prompt. */
  toolInput: [wordedName('toolInput'), wordedName('toolInput', 'elsewhere')],
  /** Of Claude, outside its other counts. */
  compactionInput: [wordedName('compactionInput')],
  compactionOutput: [wordedName('compactionOutput')],
  compactionRead: [wordedName('compactionRead')],
  compactionWrite: [wordedName('compactionWrite')],
  compactionHourWrite: [wordedName('compactionHourWrite')],
  audioInput: [wordedName('audioInput'), wordedName('audioInput', 'elsewhere')],
  cachedAudio: [wordedName('cachedAudio')],
  cachedText: [wordedName('cachedText')],
  imageInput: [wordedName('imageInput'), wordedName('imageInput', 'elsewhere')],
  audioOutput: [wordedName('audioOutput'), wordedName('audioOutput', 'elsewhere')],
  imageOutput: [wordedName('imageOutput'), wordedName('imageOutput', 'elsewhere')],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    wordedName('reasoning'),
    wordedName('reasoning', 'elsewhere'),
    // Its name is a mark of how Google ADK counts.
    'gen_ai.usage.experimental.reasoning_tokens',
  ],
  searches: [wordedName('searches'), wordedName('searches', 'elsewhere')],
  /** Of posts on X, which xAI charges as those of the web. */
  postSearches: [wordedName('postSearches')],
  fileSearches: [wordedName('fileSearches')],
  codeExecutions: [wordedName('codeExecutions')],
  characters: [wordedName('characters'), wordedName('characters', 'elsewhere')],
  audioSeconds: [wordedName('audioSeconds')],
  videoSeconds: [wordedName('videoSeconds')],
  images: [wordedName('images')],
  pages: [wordedName('pages')],
  rerankSearches: [wordedName('rerankSearches')],
  /** In USD, by the sources of those who send them, unless a currency beside them says otherwise. */
  cost: [
    // OpenLIT, Traceloop, Cloudflare and LiteLLM.
    'gen_ai.usage.cost',
    'gen_ai.usage.total_cost',
    'gen_ai.cost.total_cost',
    'litellm.cost.total',
    // Sentry.
    'gen_ai.cost.total_tokens',
    'vercel.ai_gateway.cost.total',
    'ai.response.providerMetadata.gateway.cost',
    'ai.response.providerMetadata.openrouter.usage.cost',
    // https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
    'llm.cost.total',
    'agw.ai.usage.cost.total',
    // Pydantic AI and Logfire, from genai-prices.
    'operation.cost',
    'mlflow.llm.cost.total_cost',
    'langwatch.span.cost',
    'langwatch.metrics.cost',
  ],
  costInUsd: [statedName('cost in USD')],
  /** Costs without a unit in their names: only a currency beside them tells. */
  costAmount: [statedName('amount')],
  costCurrency: ['gen_ai.usage.cost.currency', 'vercel.ai_gateway.cost.currency', statedName('currency')],
  /** Of OpenRouter. */
  byok: [statedName('byok')],
  upstreamCost: [statedName('upstream cost')],
  /** `provider` or `local` in the draft of the conventions. */
  costSource: ['gen_ai.usage.cost.source'],
  /** Where the data of a call stay. */
  area: [statedName('area')],
  /** Whether a call is charged: not one that failed, or that a plan includes. */
  billable: ['cursor.api.billable'],
  /** `system`, whose calls the gateway sells, or `byok`, whose calls the provider charges. */
  gatewayCredential: ['vercel.ai_gateway.credential.type'],
  /** Fast mode of Anthropic is stated as a speed. */
  speed: [statedName('speed')],
  serviceTier: [
    'openai.response.service_tier',
    'gen_ai.openai.response.service_tier',
    'openai.request.service_tier',
    'gen_ai.openai.request.service_tier',
    'gen_ai.response.service_tier',
    'gen_ai.service_tier',
    'gen_ai.anthropic.service_tier',
    'gen_ai.request.service_tier',
    'vercel.ai_gateway.service_tier',
    // The traffic type of Gemini on Vertex AI, which is the tier that served the call.
    'gen_ai.response.traffic_type',
    'gen_ai.usage.traffic_type',
    'gcp.vertex_ai.traffic_type',
    'gcp.vertex.traffic_type',
    statedName('tier'),
  ],
} as const satisfies Record<string, readonly string[]>;
