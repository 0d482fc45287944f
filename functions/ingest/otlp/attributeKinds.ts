import { names } from './attributeNames.ts';
import { wordedCount } from './usageWords.ts';

const read: ReadonlySet<string> = new Set(Object.values(names).flat());

/** Attributes whose text is a JSON object of counts, costs or settings. Each member is read as an attribute of its own. */
const JSON_OBJECTS: ReadonlySet<string> = new Set([
  'langfuse.observation.usage_details',
  'langfuse.observation.cost_details',
  'mlflow.chat.tokenUsage',
  'mlflow.llm.cost',
  'langwatch.metrics',
  'braintrust.metadata',
  'braintrust.metrics',
  'braintrust.span_attributes',
  'model_config',
  'gen_ai.usage.input_token_details',
  'gen_ai.usage.output_token_details',
]);

export const isJsonObject = (name: string): boolean => JSON_OBJECTS.has(name);

/** Stands for token counts under names that no mapping reads. */
export const UNREAD_COUNTS = 'unread token counts';

/** `input_tokens`, `promptTokens`, `usage.total_token_count`, and the other way round: `tokensIn`. */
const COUNT_WORDS =
  /(?:input|output|prompt|completion|total|usage)[._]?(?:[a-z]+[._])?tokens?(?:[._]?count)?$|tokens?[._]?(?:in|out|input|output|used|counts?)$/i;
/** Longer names are none of a producer, and would cost the expressions above quadratic time. */
const COUNT_NAME_LENGTH_MAXIMUM = 128;
const NO_COUNT = /max|limit|budget|remaining|price|cost|per_/i;

/** Whether the name of an attribute is one of a token count. */
export const isCountName = (name: string): boolean =>
  name.length <= COUNT_NAME_LENGTH_MAXIMUM &&
  /token/i.test(name) &&
  COUNT_WORDS.test(name) &&
  !NO_COUNT.test(name);

/** Whether a mapping reads this attribute. All others are dropped at the edge, without decoding their values. */
export const isReadAttribute = (name: string): boolean => read.has(name);

/** Attributes that count what a call used. */
const USAGE = /^(?:gen_ai\.usage|llm\.token_count|ai\.usage)\.(?<name>.+)$/;
/** Counts of what others contain, prices, and what costs nothing. */
const FREE_OR_CONTAINED =
  /^(?:total|cost|text|(?:in|out)put_text|(?:details\.)?(?:accepted|rejected)_prediction|details\.(?:total|text|(?:in|out)put(?:_text)?_tokens$)|server_tool_use\.web_fetch|details\.web_fetch|.*(?:noCache|textTokens|system_instruction|per_second|percent|limit))/;

/** Whether an attribute can be a count of usage that no mapping reads. */
export const isOtherUsage = (name: string): boolean => {
  const counted = USAGE.exec(name)?.groups?.['name'];
  return (
    counted !== undefined &&
    !read.has(name) &&
    wordedCount(name) === undefined &&
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
  /^ai\.response\.(?:text|reasoning|toolCalls|object|files|providerMetadata)$/,
  /^(?:prompt|tool_input|tool_parameters|request_text|response_text|langfuse\.(?:observation|trace)\.(?:input|output))$/,
] as const;

/** Whether an attribute is known to hold content. Callers see its name among what was dropped. */
export const isContentAttribute = (name: string): boolean => CONTENT.some((pattern) => pattern.test(name));
