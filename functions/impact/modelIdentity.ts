import { memoize, memoKey } from '../shared/memoize.ts';
import { isBedrockId, withoutArn } from './bedrockId.ts';

/** A provider and model in the spelling that the price catalogue and our own tables share. */
export interface ModelIdentity {
  readonly provider: string;
  readonly model: string;
}

/**
 * Spellings of the same provider: OpenTelemetry GenAI (`gcp.vertex_ai`, `aws.bedrock`, `azure.ai.openai`, `x_ai`),
 * LiteLLM (`vertex_ai`), Vercel AI SDK (`openai.responses`) and display names (`Mistral AI`).
 * Azure comes before OpenAI: otherwise `azure-openai` would get the prices and locations of OpenAI.
 */
export const PROVIDER_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:azure|az\.ai|microsoft)/, 'azure'],
  [/^(?:aws|amazon|bedrock)/, 'aws'],
  [/^(?:gcp|google|vertex|gemini)/, 'google'],
  [/^openai(?![-_ ]?(?:compat|like))/, 'openai'],
  [/^anthropic/, 'anthropic'],
  [/^mistral/, 'mistral'],
  [/^cohere/, 'cohere'],
  [/^deepseek/, 'deepseek'],
  [/^groq/, 'groq'],
  [/^x[-_ ]?ai(?:\.|$)/, 'x-ai'],
  [/^perplexity/, 'perplexity'],
  [/^together(?:[-_ ]?ai)?(?:\.|$)/, 'together'],
  [/^fireworks/, 'fireworks'],
  [/^moonshot/, 'moonshotai'],
  [/^cerebras/, 'cerebras'],
  [/^cloudflare/, 'cloudflare'],
  [/^voyage/, 'voyageai'],
  [/^github[-_. ]?copilot/, 'github-copilot'],
];

const canonicalProvider = (raw: string): string => {
  const provider = raw.trim().toLowerCase();
  return PROVIDER_SPELLINGS.find(([spelling]) => spelling.test(provider))?.[1] ?? provider;
};

/** Resource paths of Google and Vertex AI, and the `[1m]` mark of a long context window. Not part of the model id. */
const DECORATION = /^(?:.*\/)?publishers\/[^/]+\/models\/|^models\/|\[\d+[km]\]$/g;

const identify = (key: string): ModelIdentity => {
  const [rawProvider = '', rawModel = ''] = key.split('\u0000');
  const named = canonicalProvider(rawProvider);
  const model = withoutArn(rawModel.trim().toLowerCase()).replace(DECORATION, '');
  // `azure/gpt-4o`: the gateway's routing prefix. A vendor's prefix at another host (`openai/gpt-oss-120b` at Groq) stays.
  const slash = model.indexOf('/');
  const prefix = slash > 0 ? canonicalProvider(model.slice(0, slash)) : '';
  const routed = prefix !== '' && (named === 'litellm' || prefix === named);
  const provider = routed ? prefix : named;
  const id = routed ? model.slice(slash + 1) : model;
  return { provider: isBedrockId(provider, id) ? 'aws' : provider, model: id };
};

const identityOf = memoize(identify);

/** The normalized spelling of a provider and model. Never fails: unknown names are returned unchanged. */
export const modelIdentity = (provider: string, model: string): ModelIdentity =>
  identityOf(memoKey(provider, model));
