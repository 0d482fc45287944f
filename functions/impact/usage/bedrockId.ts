/**
 * Amazon Bedrock model ids: `anthropic.claude-…-v1:0`, with a routing area in front for an inference profile
 * (`us.`, `eu.`, `global.`), or the ARN of either.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
 */
const AREA = 'us-gov|us|eu|apac|global|jp|au|ca|in|kr|uk|il|sa|me';
const VENDOR =
  'ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshotai|moonshot|nvidia|openai|qwen|stability|twelvelabs|writer|xai|zai';
const SHAPE = new RegExp(`^(?:(${AREA})\\.)?(?:${VENDOR})\\.[a-z]`);
const AREA_PREFIX = new RegExp(`^(?:regional|${AREA})\\.`);

/** Oracle Cloud names its models in the same way (`cohere.command-r-plus`). */
const SAME_SHAPE_ELSEWHERE = /^(?:oci|oracle)/;

/** The model id of an ARN. Any other text is returned unchanged. */
export const withoutArn = (model: string): string =>
  model.startsWith('arn:aws') ? model.slice(model.lastIndexOf('/') + 1) : model;

/** Whether a lower-case model id can only be a Bedrock id, regardless of the provider that the producer named. */
export const isBedrockId = (provider: string, model: string): boolean =>
  SHAPE.test(model) && !SAME_SHAPE_ELSEWHERE.test(provider);

/** Area a cross-region inference profile routes within, or null. It is not the caller's region. */
export const routingArea = (model: string): string | null => SHAPE.exec(model)?.[1] ?? null;

/** The id without its routing area; `regional.` is the name of the price catalogue for any area except `global.`. */
export const withoutArea = (model: string): string => model.replace(AREA_PREFIX, '');

/** Families of models at Bedrock, by the vendor in front of their ids. */
const FAMILIES: readonly (readonly [family: RegExp, vendor: string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:nova|titan)-/, 'amazon'],
  [/^llama\d/, 'meta'],
  [/^(?:mistral|mixtral|ministral|magistral|pixtral|voxtral|devstral)-/, 'mistral'],
  [/^(?:command|embed|rerank)-/, 'cohere'],
  [/^jamba-/, 'ai21'],
  [/^palmyra-/, 'writer'],
  [/^gpt-oss-/, 'openai'],
  [/^qwen\d/, 'qwen'],
  [/^(?:r1|v3)-v1:/, 'deepseek'],
  [/^kimi-/, 'moonshot'],
  [/^minimax-/, 'minimax'],
  [/^nemotron-/, 'nvidia'],
  [/^gemma-/, 'google'],
  [/^glm-/, 'zai'],
];

/** The id with the vendor that instrumentations cut off: OpenLLMetry for JavaScript keeps what follows the last point but one. */
export const withVendor = (model: string): string => {
  const vendor = FAMILIES.find(([family]) => family.test(model))?.[1];
  return vendor === undefined ? model : `${vendor}.${model}`;
};
