import { memoize } from '../../platform/shared/caches/memoize.ts';
import { names } from './attributeNames.ts';
import { isCharge, isOfSeveralCalls, partOfDollar, statedByWords, statedName } from './callWords.ts';
import { usageAt, wordedCount } from './usageWords.ts';

const read: ReadonlySet<string> = new Set(Object.values(names).flat());
/** `gen_ai.cost.total_tokens` of Sentry counts no tokens: it is what they cost. */
const costs: ReadonlySet<string> = new Set(names.cost);

/** Attributes whose text is a JSON object of counts, costs or settings. Each member is read as an attribute of its own. */
const JSON_OBJECTS: ReadonlySet<string> = new Set([
  'mlflow.llm.cost',
  'langwatch.metrics',
  'braintrust.metadata',
  'braintrust.metrics',
  'braintrust.span_attributes',
  'model_config',
  'gen_ai.usage.input_token_details',
  'gen_ai.usage.output_token_details',
  'llm.token.counts',
  // Genkit puts the counts of a call beside its answer, which no mapping reads.
  'genkit:output',
  // Vercel AI SDK 4 and 5 have cached tokens and cache writes of Anthropic, Amazon Bedrock and others only here.
  'ai.response.providerMetadata',
]);
/** Objects of what an application adds. Of their members only those are read that a mapping names. */
const OPEN_OBJECTS: ReadonlySet<string> = new Set(['metadata']);
/** Such as `langfuse.observation.usage_details` and `mlflow.chat.tokenUsage`. */
const USAGE_OBJECT =
  /(?:^|[._])(?:usage|usage_details|usage_metadata|token_usage|tokenUsage|cost_details|[a-z]+_metrics)(?:_json)?$/;

/** Stands for token counts under names that no mapping reads. */
export const UNREAD_COUNTS = 'unread token counts';

/** `input_tokens`, `promptTokens`, `usage.total_token_count`, and the other way round: `tokensIn`. */
const COUNT_WORDS =
  /(?:input|output|prompt|completion|total|usage)[._]?(?:[a-z]+[._])?tokens?(?:[._]?count)?$|tokens?[._]?(?:in|out|input|output|used|counts?)$/i;
/** Longer names are none of a producer, and would cost the expressions above quadratic time. */
const NAME_LENGTH_MAXIMUM = 128;
const NO_COUNT = /max|limit|budget|remaining|price|cost|per_/i;

/** Whether the name of an attribute is one of a token count. */
const isCountName = (name: string): boolean =>
  name.length <= NAME_LENGTH_MAXIMUM && /token/i.test(name) && COUNT_WORDS.test(name) && !NO_COUNT.test(name);

/** Places where every count is one of usage, by the conventions and SDKs. Elsewhere `usage` can be that of a machine. */
const USAGE_PLACE =
  /^(?:gen_ai\.usage|llm\.token_count|ai\.usage)\.|(?:usage_details|usage_metadata|token_usage|tokenUsage|token_count)(?:_json)?\./;
const COUNTED_WORDS = /token|request|search|image|audio|page|character|tools_used/i;
/** Counts of what others contain, prices, and what costs nothing. */
const FREE_OR_CONTAINED =
  /^(?:total|cost|text|(?:in|out)put_text|(?:details\.)?(?:accepted|rejected)_prediction|details\.(?:total|text|(?:in|out)put(?:_text)?_tokens$)|server_tool_use\.web_fetch|details\.web_fetch|.*(?:noCache|textTokens|system_instruction|per_second|per_token|first_?token|latency|percent|limit)|.*[._]cost$)/;

/** Whether an attribute can be a count of usage that no mapping reads. */
const isUnreadUsage = (name: string): boolean => {
  const counted = name.length <= NAME_LENGTH_MAXIMUM ? usageAt(name) : undefined;
  return (
    counted !== undefined &&
    !isOfSeveralCalls(name) &&
    (USAGE_PLACE.test(name) || COUNTED_WORDS.test(counted)) &&
    !FREE_OR_CONTAINED.test(counted)
  );
};

/** Attributes that hold prompts, model output or tool data, by the conventions and SDKs that a mapping knows. */
const CONTENT = [
  /^gen_ai\.(?:input|output)\.messages$/,
  /^gen_ai\.(?:system_instructions|tool\.definitions|tool\.call\.(?:arguments|result))$/,
  /^gen_ai\.(?:prompt|completion|content)(?:$|\.(?!name$|version$))/,
  /^(?:input|output)\.(?:value|mime_type)$/,
  /^llm\.(?:input_messages|output_messages|prompts|completions|prompt_template|invocation_parameters|tools)(?:$|\.)/,
  /^(?:traceloop\.entity\.(?:input|output)|tool\.parameters|retrieval\.documents|embedding\.embeddings)(?:$|\.)/,
  /^ai\.(?:prompt|request\.headers|toolCall\.(?:args|result)|values?|embeddings?)(?:$|\.)/,
  /^ai\.response\.(?:text|reasoning|toolCalls|object|files)$/,
  /^(?:prompt|tool_input|tool_parameters|request_text|response_text|langfuse\.(?:observation|trace)\.(?:input|output))$/,
] as const;

/** What the name of an attribute says of its value. */
interface NameUse {
  /**
   * `object`: JSON of attributes. `open object`: JSON of which only named members are read. `read`: a mapping reads it. `worded`: the words of its name tell what it is. `content`: it is
   * known to hold content. The value of any other is not decoded.
   */
  readonly kind: 'object' | 'open object' | 'read' | 'worded' | 'content' | 'other';
  /** Under which a value is kept that the words of its name tell. */
  readonly count?: string | undefined;
  readonly stated?: string | undefined;
  /** Whether it is a cost whose name does not say that it is in USD. */
  readonly isAmount: boolean;
  /** Of a cost in a part of a dollar, how much that is. */
  readonly part?: string | undefined;
  /** Whether it is a cost that who charges for the call states. */
  readonly isCharge: boolean;
  /** Whether it can be a count of usage that no mapping reads. */
  readonly isUnreadUsage: boolean;
  readonly isTokenCount: boolean;
}

const useOf = (name: string): NameUse => {
  const isRead = read.has(name);
  const count = costs.has(name) ? undefined : wordedCount(name);
  const words = isRead || count !== undefined ? undefined : statedByWords(name);
  const others = {
    isUnreadUsage: !isRead && isUnreadUsage(name),
    isTokenCount: !costs.has(name) && isCountName(name),
    isAmount: words === 'amount' || words === 'other amount',
    isCharge: words === 'cost in USD' && isCharge(name),
  };
  if (JSON_OBJECTS.has(name) || (name.length <= NAME_LENGTH_MAXIMUM && USAGE_OBJECT.test(name))) {
    return { kind: 'object', ...others };
  }
  if (OPEN_OBJECTS.has(name)) return { kind: 'open object', ...others };
  if (isRead) return { kind: 'read', count, ...others };
  if (count !== undefined) return { kind: 'worded', count, ...others, isUnreadUsage: false };
  if (words !== undefined) {
    const part = words === 'cost in USD' ? partOfDollar(name) : undefined;
    return { kind: 'worded', stated: statedName(words), part, ...others };
  }
  return { kind: CONTENT.some((pattern) => pattern.test(name)) ? 'content' : 'other', ...others };
};

const KNOWN_NAMES_MAXIMUM = 4_000;
const knownUseOf = memoize(useOf, KNOWN_NAMES_MAXIMUM);

/** What the name of an attribute says of its value. Exports repeat few names. */
export const nameUse = (name: string): NameUse =>
  name.length <= NAME_LENGTH_MAXIMUM ? knownUseOf(name) : useOf(name);
