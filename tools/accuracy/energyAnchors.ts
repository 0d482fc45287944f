/** A published energy of a call. */
export interface EnergyAnchor {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** Wh. Equal where one figure was published. */
  readonly least: number;
  readonly most: number;
  readonly source: string;
}

const GOOGLE = 'Google, Measuring the environmental impact of delivering AI, August 2025 (tokens assumed)';
const EPOCH = 'Epoch AI, How much energy does ChatGPT use?, February 2025';
const JEGHAM = 'Jegham et al. 2025, arXiv 2505.09598';
const ML_ENERGY =
  'ML.ENERGY v3, LLM Inference Energy: A Longitudinal Analysis, 2026: .12 J a token at a batch of 64 on H100, the GPU alone';
const ALTMAN = 'Sam Altman, June 2025, without a method (model and tokens assumed)';
const INFERENCEMAX = 'InferenceMAX, November 2025';
const OVIEDO = 'Oviedo et al. 2026, arXiv 2509.20241v2: models above 200B on H100, quartiles (model assumed)';
const LEADERBOARD =
  'ML.ENERGY v3, medians of H100 and B200, 8 and 16 bits, batches of 32 or more, the GPUs alone';
const LAMBDA_CARD =
  'Lambda, card of MiniMax M2.5, 2026: 32 requests at once on two B200 or four H100, at 2.17 and 1.73 kW a GPU (Oviedo et al.)';
const LAMBDA = 'muxup.com 2026, from the throughput that Lambda measured on B200 and 2.17 kW a GPU';

/** Published energies of calls, all that name a model or a product and can be compared with a number of tokens. */
export const energyAnchors: readonly EnergyAnchor[] = [
  {
    name: 'median Gemini prompt',
    provider: 'google',
    model: 'gemini-2.5-flash',
    input: 100,
    output: 250,
    least: 0.24,
    most: 0.24,
    source: GOOGLE,
  },
  {
    name: 'GPT-4o, 500 tokens',
    provider: 'openai',
    model: 'gpt-4o',
    input: 100,
    output: 500,
    least: 0.3,
    most: 0.3,
    source: EPOCH,
  },
  {
    name: 'GPT-4o, long input',
    provider: 'openai',
    model: 'gpt-4o',
    input: 10_000,
    output: 500,
    least: 2.5,
    most: 2.5,
    source: EPOCH,
  },
  {
    name: 'GPT-4o, short prompt',
    provider: 'openai',
    model: 'gpt-4o',
    input: 100,
    output: 300,
    least: 0.42,
    most: 0.43,
    source: JEGHAM,
  },
  {
    name: 'GPT-4.1 nano, long prompt',
    provider: 'openai',
    model: 'gpt-4.1-nano',
    input: 10_000,
    output: 1_500,
    least: 0.45,
    most: 0.45,
    source: JEGHAM,
  },
  {
    name: 'Claude 3.7 Sonnet, short prompt',
    provider: 'anthropic',
    model: 'claude-3-7-sonnet',
    input: 100,
    output: 300,
    least: 0.8,
    most: 0.8,
    source: JEGHAM,
  },
  {
    name: 'Claude 3.7 Sonnet, medium prompt',
    provider: 'anthropic',
    model: 'claude-3-7-sonnet',
    input: 1_000,
    output: 1_000,
    least: 2.8,
    most: 2.8,
    source: JEGHAM,
  },
  {
    name: 'Claude 3.7 Sonnet, long prompt',
    provider: 'anthropic',
    model: 'claude-3-7-sonnet',
    input: 10_000,
    output: 1_500,
    least: 5.5,
    most: 5.5,
    source: JEGHAM,
  },
  {
    name: 'Llama 3.1 8B, 400 tokens',
    provider: 'together',
    model: 'meta-llama/Llama-3.1-8B-Instruct',
    input: 100,
    output: 400,
    least: 0.0133,
    most: 0.0133,
    source: ML_ENERGY,
  },
  {
    name: 'average ChatGPT query',
    provider: 'openai',
    model: 'gpt-5',
    input: 500,
    output: 400,
    least: 0.34,
    most: 0.34,
    source: ALTMAN,
  },
  {
    name: 'DeepSeek R1, fp8',
    provider: 'together',
    model: 'deepseek-ai/DeepSeek-R1',
    input: 8_000,
    output: 1_000,
    least: 0.96,
    most: 3.74,
    source: INFERENCEMAX,
  },
  {
    name: 'DeepSeek R1, fp4',
    provider: 'together',
    model: 'deepseek-ai/DeepSeek-R1',
    input: 8_000,
    output: 1_000,
    least: 0.63,
    most: 1.67,
    source: INFERENCEMAX,
  },
  {
    name: 'DeepSeek R1, long output, fp8',
    provider: 'together',
    model: 'deepseek-ai/DeepSeek-R1',
    input: 1_000,
    output: 8_000,
    least: 15,
    most: 16.3,
    source: INFERENCEMAX,
  },
  {
    name: 'DeepSeek R1, long output, fp4',
    provider: 'together',
    model: 'deepseek-ai/DeepSeek-R1',
    input: 1_000,
    output: 8_000,
    least: 2.7,
    most: 4.8,
    source: INFERENCEMAX,
  },
  {
    name: 'frontier-scale model, typical query',
    provider: 'together',
    model: 'deepseek-ai/DeepSeek-R1',
    input: 500,
    output: 300,
    least: 0.16,
    most: 0.6,
    source: OVIEDO,
  },
  {
    name: 'frontier-scale model, long reasoning',
    provider: 'together',
    model: 'deepseek-ai/DeepSeek-R1',
    input: 500,
    output: 5_000,
    least: 2.15,
    most: 7.05,
    source: OVIEDO,
  },
  {
    name: 'Llama 3.1 405B, 400 tokens',
    provider: 'together',
    model: 'meta-llama/Llama-3.1-405B-Instruct',
    input: 100,
    output: 400,
    least: 0.169,
    most: 0.283,
    source: LEADERBOARD,
  },
  {
    name: 'Qwen3 235B, long reasoning',
    provider: 'together',
    model: 'Qwen/Qwen3-235B-A22B-Thinking-2507',
    input: 300,
    output: 9_200,
    least: 2.5,
    most: 9.2,
    source: LEADERBOARD,
  },
  {
    name: 'MiniMax M2.5',
    provider: 'together',
    model: 'MiniMaxAI/MiniMax-M2.5',
    input: 8_192,
    output: 1_024,
    least: 1.38,
    most: 2.3,
    source: LAMBDA_CARD,
  },
  {
    name: 'GLM 5, fp8',
    provider: 'zai',
    model: 'glm-5',
    input: 8_192,
    output: 1_024,
    least: 7.05,
    most: 7.05,
    source: LAMBDA,
  },
];
