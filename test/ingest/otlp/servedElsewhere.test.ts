import { describe, expect, it } from 'vitest';
import { canonicalProvider } from '../../../functions/impact/usage/modelIdentity.ts';
import { eventOf } from './spanEvents.ts';

const CALL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'some-model',
  'gen_ai.usage.input_tokens': 1_000,
  'gen_ai.usage.output_tokens': 200,
};
const providerOf = (attributes: Record<string, string>) =>
  eventOf({ ...CALL, ...attributes })[0]?.['provider'];

describe('the provider of a call', () => {
  it.each([
    ['openai', 'api.groq.com', 'groq'],
    ['openai', 'https://api.deepseek.com/v1', 'deepseek'],
    ['openai', 'openrouter.ai', 'openrouter'],
    ['openai', 'acme.openai.azure.com', 'azure'],
    ['openai', 'bedrock-mantle.us-east-1.api.aws', 'aws'],
    ['anthropic', 'api.moonshot.ai', 'moonshotai'],
    ['anthropic', 'bedrock-runtime.us-east-1.amazonaws.com', 'aws'],
    // Own hosts, gateways and hosts of customers serve what the caller names.
    ['openai', 'eu.api.openai.com', 'openai'],
    ['openai', 'gateway.ai.cloudflare.com', 'openai'],
    ['openai', 'llm-1234.eu-west-1.elb.amazonaws.com', 'openai'],
    ['openai', 'acme.azure-api.net', 'openai'],
    ['openai', 'localhost', 'openai'],
    // Only the APIs of these two have SDKs that call others.
    ['cohere', 'api.groq.com', 'cohere'],
  ])('of an SDK of %s at %s is %s', (named, host, provider) => {
    expect(
      canonicalProvider(String(providerOf({ 'gen_ai.provider.name': named, 'server.address': host }))),
    ).toBe(provider);
  });

  it.each([
    ['llm.vendor', 'anthropic'],
    ['acme.ai.vendor', 'anthropic'],
    ['acme.provider', 'unknown'],
    ['acme.llm.provider_name', 'anthropic'],
    ['cloud.provider', 'unknown'],
    ['feature_flag.provider.name', 'unknown'],
    ['auth.provider', 'unknown'],
  ])('is read from %s: %s', (name, provider) => {
    expect(providerOf({ [name]: 'anthropic' })).toBe(provider);
  });
});
