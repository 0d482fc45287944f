/**
 * Models that bills call by their id without vendor and separators: `Llama3-3-70B` is `meta.llama3-3-70b-instruct`. Without
 * date and first version, as `normalizeModel.ts` compares them.
 */
const MODELS = [
  'ai21.jamba-1-5-large',
  'ai21.jamba-1-5-mini',
  'amazon.nova-2-lite',
  'amazon.nova-2-sonic',
  'amazon.nova-lite',
  'amazon.nova-micro',
  'amazon.nova-premier',
  'amazon.nova-pro',
  'amazon.nova-sonic',
  'amazon.titan-text-express',
  'amazon.titan-text-lite',
  'amazon.titan-text-premier',
  'cohere.command-r',
  'cohere.command-r-plus',
  'deepseek.r1',
  'google.gemma-3-12b-it',
  'google.gemma-3-27b-it',
  'google.gemma-3-4b-it',
  'meta.llama3-1-405b-instruct',
  'meta.llama3-1-70b-instruct',
  'meta.llama3-1-8b-instruct',
  'meta.llama3-2-11b-instruct',
  'meta.llama3-2-1b-instruct',
  'meta.llama3-2-3b-instruct',
  'meta.llama3-2-90b-instruct',
  'meta.llama3-3-70b-instruct',
  'meta.llama3-70b-instruct',
  'meta.llama3-8b-instruct',
  'meta.llama4-maverick-17b-instruct',
  'meta.llama4-scout-17b-instruct',
  'mistral.ministral-3-14b-instruct',
  'mistral.ministral-3-3b-instruct',
  'mistral.ministral-3-8b-instruct',
  'mistral.mistral-7b-instruct-v0:2',
  'mistral.mistral-large-2407',
  'mistral.mistral-large-3-675b-instruct',
  'mistral.mixtral-8x7b-instruct-v0:1',
  'mistral.pixtral-large-2502',
  'openai.gpt-oss-120b',
  'openai.gpt-oss-20b',
  'openai.gpt-oss-safeguard-120b',
  'openai.gpt-oss-safeguard-20b',
  'qwen.qwen3-32b',
  'qwen.qwen3-coder-30b-a3b',
  'qwen.qwen3-coder-480b-a35b',
  'qwen.qwen3-next-80b-a3b',
  'qwen.qwen3-vl-235b-a22b',
  'writer.palmyra-x4',
  'writer.palmyra-x5',
] as const;

/** Names that do not follow from the id. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Cohere Embed 3 Model - English': 'cohere.embed-english-v3',
  'Cohere Embed 4 Model': 'cohere.embed-v4',
  'Cohere Embed Model 3 - Multilingual': 'cohere.embed-multilingual-v3',
  'Cohere Generate Model - Command': 'cohere.command-text-v14',
  'Cohere Generate Model - Command-Light': 'cohere.command-light-text-v14',
  'DeepSeek V3.1': 'deepseek.v3',
  MistralLarge: 'mistral.mistral-large-2402',
  MistralSmall: 'mistral.mistral-small-2402',
  'Nemotron-Nano-12B-V2-VL-BF16': 'nvidia.nemotron-nano-12b-v2',
  'TitanEmbeddingV2-Text': 'amazon.titan-embed-text-v2',
  'TitanEmbeddingsG1-Text': 'amazon.titan-embed-text',
  'TitanTextG1-Express': 'amazon.titan-text-express',
  'TitanTextG1-Lite': 'amazon.titan-text-lite',
};

/** What is left of a name or id that only differs in spelling: `Nova2.0Lite` and `nova-2-lite` have the same. */
const spellingOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/-v\d+:\d+$/, '')
    .replace(/[- ](?:instruct|it)$/, '')
    .replaceAll('+', 'plus')
    .replaceAll(/\.0(?!\d)/g, '')
    .replaceAll(/[^a-z0-9]/g, '');

/** Names of products have the vendor (`Cohere Command R+`), most usage types do not. */
const spellingsOf = (id: string): readonly string[] => [
  spellingOf(id),
  spellingOf(id.slice(id.indexOf('.') + 1)),
];

const BY_SPELLING: ReadonlyMap<string, string> = new Map([
  ...MODELS.flatMap((id) => spellingsOf(id).map((spelling) => [spelling, id] as const)),
  ...Object.entries(OTHER_NAMES).map(([name, id]) => [spellingOf(name), id] as const),
]);

/** The Bedrock model id of a name that only differs from it in spelling, or that is listed. Null for any other. */
export const modelOfSpelling = (name: string): string | null => BY_SPELLING.get(spellingOf(name)) ?? null;
