import type { ModelUse } from './service.ts';

type Model = Omit<ModelUse, 'share'>;

export const sonnet: Model = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  served: 'claude-sonnet-4-5-20250929',
  tokensPerSecond: 65,
  gatewayPrice: { input: 3_000, cached: 300, output: 15_000 },
};

export const haiku: Model = {
  provider: 'anthropic',
  model: 'claude-haiku-4-5',
  served: 'claude-haiku-4-5-20251001',
  tokensPerSecond: 140,
  gatewayPrice: { input: 1_000, cached: 100, output: 5_000 },
};

export const gpt5: Model = {
  provider: 'openai',
  model: 'gpt-5',
  served: 'gpt-5-2025-08-07',
  tokensPerSecond: 80,
  reasoning: 0.55,
};

export const gpt5Mini: Model = {
  provider: 'openai',
  model: 'gpt-5-mini',
  tokensPerSecond: 110,
  reasoning: 0.3,
};

export const gpt41: Model = {
  provider: 'openai',
  model: 'gpt-4.1',
  served: 'gpt-4.1-2025-04-14',
  tokensPerSecond: 90,
};

export const embedding: Model = {
  provider: 'openai',
  model: 'text-embedding-3-small',
  tokensPerSecond: 1,
};

export const geminiFlash: Model = {
  provider: 'google',
  model: 'gemini-2.5-flash',
  regions: ['europe-west4', 'europe-west4', 'us-central1'],
  tokensPerSecond: 180,
  reasoning: 0.25,
};

export const gpt4oOnAzure: Model = {
  provider: 'azure',
  model: 'gpt-4o',
  served: 'gpt-4o-2024-11-20',
  regions: ['swedencentral', 'westeurope'],
  tokensPerSecond: 85,
};

export const novaPro: Model = {
  provider: 'aws.bedrock',
  model: 'amazon.nova-pro-v1:0',
  regions: ['eu-central-1', 'us-east-1'],
  tokensPerSecond: 95,
};

/** A model without a public price or size. Its cost is unknown, and its energy is known only if metered. */
export const inHouse: Model = {
  provider: 'in-house',
  model: 'risk-lm-2',
  tokensPerSecond: 45,
  meteredMicroWh: 2_900,
};
