import type { ModelSize } from './modelSize.ts';

const dense = (billions: string): ModelSize => {
  const size = { min: billions, max: billions };
  return { total: size, active: size };
};

const experts = (total: string, active: string): ModelSize => ({
  total: { min: total, max: total },
  active: { min: active, max: active },
});

/** A model that is published in 4 bits. `bytes`: size of its checkpoint in GB over its parameters, which some layers raise. */
const quantized = (size: ModelSize, bytes: string): ModelSize => ({ ...size, weightBytes: bytes });

/**
 * Open-weight models: parameter counts in billions from the vendors' model cards. First match wins, so distilled
 * models come before the model they are named after. `[.p-]` matches the spellings of a version at different hosts.
 */
export const openModels: readonly (readonly [RegExp, ModelSize])[] = [
  // https://huggingface.co/meta-llama
  [/llama-?4-scout/, experts('109', '17')],
  [/llama-?4-maverick/, experts('400', '17')],
  [/llama-?v?2-.*70b/, dense('69')],
  [/llama.*405b/, dense('405.9')],
  [/llama.*90b/, dense('88.6')],
  [/llama.*70b/, dense('70.6')],
  [/llama-?v?3.*11b/, dense('10.7')],
  [/llama-?v?3.*(?<![\d.])8b/, dense('8.03')],
  [/llama-?v?3.*(?<![\d.])3b/, dense('3.21')],
  [/llama-?v?3.*(?<![\d.])1b/, dense('1.24')],
  // https://huggingface.co/deepseek-ai
  [/r1.*qwen3-8b/, dense('8.19')],
  [/r1-distill-qwen-32b/, dense('32.8')],
  [/r1-distill-qwen-14b/, dense('14.8')],
  [/r1-distill-qwen-7b/, dense('7.62')],
  [/deepseek-v4-pro/, experts('1600', '49')],
  [/deepseek-v4-flash/, experts('284', '13')],
  [/^deepseek-(?:chat|reasoner|prover|r1|v3)(?!\d)|^(?:r1|v3)-/, experts('671', '37')],
  // https://huggingface.co/openai
  [/gpt-oss-(?:safeguard-)?120b/, quantized(experts('116.8', '5.13'), '0.56')],
  [/gpt-oss-(?:safeguard-)?20b/, quantized(experts('20.9', '3.61'), '0.66')],
  // https://huggingface.co/mistralai
  [/mixtral-8x22b/, experts('140.6', '39.1')],
  [/mixtral-8x7b/, experts('46.7', '12.9')],
  [/mistral-large-4/, experts('1000', '52')],
  [/mistral-large-(?:2512|3|latest)/, experts('675', '41')],
  [/mistral-large-(?:24(?:07|11)|instruct-24(?:07|11)|2$)|pixtral-large/, dense('122.6')],
  [/(?:mistral|magistral|devstral)-small-(?:3|24b|25\d\d)/, dense('23.6')],
  [/mistral-small-(?:2603|4(?:$|-))/, experts('119', '6.5')],
  [/devstral-(?:2-123b|2512)/, dense('125')],
  [/mistral-nemo/, dense('12.2')],
  [/pixtral-12b/, dense('12.4')],
  [/codestral(?!-embed)/, dense('22.2')],
  [/ministral-(?:3-)?14b/, dense('14')],
  [/ministral-(?:3-)?8b/, dense('8.02')],
  [/ministral-(?:3-)?3b/, dense('3.32')],
  [/mistral-7b/, dense('7.25')],
  // https://huggingface.co/Qwen
  [/qwen3-coder-480b/, experts('480', '35')],
  [/qwen3[.]5-397b/, experts('397', '17')],
  [/qwen3-(?:vl-)?235b/, experts('235', '22')],
  [/qwen3-next-80b/, experts('80', '3')],
  [/qwen3-(?:vl-|coder-)?30b/, experts('30.5', '3.3')],
  [/qwen3-(?:vl-)?32b|qwq-32b/, dense('32.8')],
  [/qwen3-14b/, dense('14.8')],
  [/qwen3-(?:vl-)?8b/, dense('8.19')],
  [/qwen3-4b/, dense('4.02')],
  [/qwen2[.p-]?5-(?:vl-|coder-)?72b/, dense('72.7')],
  [/qwen2[.p-]?5-(?:vl-|coder-)?32b/, dense('32.5')],
  [/qwen2[.p-]?5-(?:vl-|coder-)?14b/, dense('14.7')],
  [/qwen2[.p-]?5-(?:vl-|coder-)?7b/, dense('7.62')],
  // https://huggingface.co/google
  [/gemma-3-27b/, dense('27.4')],
  [/gemma-3-12b/, dense('12.2')],
  [/gemma-3-4b/, dense('4.3')],
  [/gemma-3-1b/, dense('1')],
  [/gemma-?2-27b/, dense('27.2')],
  [/gemma-?2-9b/, dense('9.24')],
  // https://huggingface.co/moonshotai, /zai-org, /MiniMaxAI
  [/kimi-k2(?:-thinking|[.p-][56])/, quantized(experts('1000', '32'), '0.6')],
  [/kimi-k2/, experts('1000', '32')],
  [/glm-4[.p-]5-air/, experts('106', '12')],
  [/glm-4[.p-][567](?!-(?:flash|air))/, experts('355', '32')],
  [/minimax-m2/, experts('230', '10')],
  [/minimax-m1/, experts('456', '45.9')],
  // https://huggingface.co/CohereLabs, /microsoft, /databricks, /ai21labs
  [/command-a(?:-|$)/, dense('111')],
  [/command-r7b/, dense('8.03')],
  [/command-r-plus/, dense('104')],
  [/command-r(?:-v?\d|$)/, dense('32.3')],
  [/phi-4(?:-reasoning(?:-plus)?)?$/, dense('14.7')],
  [/phi-4-mini/, dense('3.84')],
  [/dbrx/, experts('132', '36')],
  [/jamba.*large/, experts('398', '94')],
  [/jamba.*mini/, experts('52', '12')],
  // Embedding models with open weights, from their model cards on Hugging Face
  [/bge-m3|jina-(?:embeddings-)?v3/, dense('0.57')],
  [/multilingual-e5-large|arctic-embed-l-v2/, dense('0.56')],
  [/bge-large|e5-large|mxbai-embed-large|uae-large|arctic-embed-l(?!-v)/, dense('0.335')],
  [/gte-large|granite-embedding-(?:278m|multilingual)/, dense('0.43')],
  [/bge-base|e5-base|gte-base|nomic-embed|granite-embedding/, dense('0.137')],
  [/bge-small|e5-small|gte-small|all-minilm/, dense('0.033')],
  [/embeddinggemma/, dense('0.308')],
  [/jina-(?:embeddings-)?v4/, dense('3.8')],
  [/e5-mistral|sfr-embedding|nv-embed/, dense('7.1')],
  [/qwen3-embedding-8b/, dense('7.57')],
];
