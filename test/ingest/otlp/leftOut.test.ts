import { expect, it } from 'vitest';
import type { Attributes } from './messages.ts';
import { CALL, eventOf } from './spanEvents.ts';

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

/** A span of the AI SDK, as versions 4 and 5 name its counts. */
const aiSdk = (provider: string, model: string, members: Attributes = {}, operation = 'generateText') => ({
  'ai.operationId': `ai.${operation}.do${operation === 'generateText' ? 'Generate' : 'Stream'}`,
  'ai.model.provider': provider,
  'ai.model.id': model,
  'ai.usage.promptTokens': 120,
  'ai.usage.completionTokens': 30,
  ...members,
});
const BEDROCK_JS = {
  'gen_ai.provider.name': 'aws.bedrock',
  'gen_ai.request.model': 'claude-sonnet-4-5-20250929-v1:0',
  'gen_ai.operation.name': 'chat',
  'gen_ai.usage.input_tokens': 120,
  'gen_ai.usage.output_tokens': 30,
  'gen_ai.usage.total_tokens': 150,
};

/** A span of an AWS SDK. */
const awsSdk = (method: string, model: string, members: Attributes = {}) => ({
  ...BEDROCK_JS,
  'gen_ai.request.model': model,
  'rpc.service': 'BedrockRuntime',
  'rpc.method': method,
  ...members,
});
const AWS_SDKS = [
  '@opentelemetry/instrumentation-aws-sdk',
  'opentelemetry.instrumentation.botocore.bedrock-runtime',
  'io.opentelemetry.aws-sdk-2.2',
];
const MISTRAL = 'mistral.mistral-7b-instruct-v0:2';

it.each(
  AWS_SDKS.flatMap((scope) => [
    ...['Converse', 'ConverseStream', 'InvokeModel', 'InvokeModelWithResponseStream'].flatMap((method) =>
      [CLAUDE, 'amazon.nova-pro-v1:0'].map((model) => [scope, method, model, ['cached tokens']] as const),
    ),
    ...['InvokeModel', 'BedrockRuntime/InvokeModel'].flatMap((method) =>
      [MISTRAL, 'cohere.command-r-v1:0'].map(
        (model) => [scope, method, model, ['estimated tokens']] as const,
      ),
    ),
    [scope, 'Converse', MISTRAL, undefined] as const,
    [scope, 'InvokeModel', 'meta.llama3-3-70b-instruct-v1:0', undefined] as const,
  ]),
)('names what %s leaves out of %s with %s', (scope, method, model, unread) => {
  const [event] = eventOf(awsSdk(method, model), { kind: 3 }, {}, scope);

  expect(event?.['unread_usage']).toEqual(unread);
});

it.each<[string, string, Attributes, readonly string[] | undefined]>([
  [
    'cached tokens of Bedrock in whole answers of AI SDK 5',
    'ai',
    aiSdk('amazon-bedrock', CLAUDE),
    ['cached tokens'],
  ],
  [
    'no cached tokens that are stated',
    'ai',
    aiSdk('amazon-bedrock', CLAUDE, { 'ai.usage.cachedInputTokens': 20 }, 'streamText'),
    undefined,
  ],
  ['no cached tokens of streams', 'ai', aiSdk('amazon-bedrock', CLAUDE, {}, 'streamText'), undefined],
  [
    'no cached tokens of AI SDK 6',
    'ai',
    aiSdk('amazon-bedrock', CLAUDE, { 'ai.usage.inputTokenDetails.noCacheTokens': 120 }),
    undefined,
  ],
  [
    'nothing of a model without a cache',
    'ai',
    aiSdk('amazon-bedrock', 'meta.llama3-3-70b-instruct-v1:0'),
    undefined,
  ],
  ['nothing of OpenAI, which counts cached tokens within', 'ai', aiSdk('openai.chat', 'gpt-4o'), undefined],
  ['thoughts of Gemini in AI SDK 4', 'ai', aiSdk('google.generative-ai', 'gemini-2.5-flash'), ['thoughts']],
  ['no thoughts of a model without them', 'ai', aiSdk('google.vertex.chat', 'gemini-2.0-flash'), undefined],
  [
    'no thoughts that are stated',
    'ai',
    aiSdk('google.generative-ai', 'gemini-2.5-flash', {
      'ai.response.providerMetadata':
        '{"google":{"usageMetadata":{"thoughtsTokenCount":5,"promptTokenCount":120,"candidatesTokenCount":30,"totalTokenCount":155}}}',
    }),
    undefined,
  ],
  [
    'cached tokens of Bedrock in OpenLLMetry for JavaScript',
    '@traceloop/instrumentation-bedrock',
    BEDROCK_JS,
    ['cached tokens'],
  ],
  ['nothing of other instrumentations', 'test', CALL, undefined],
])('names %s', (_, scope, attributes, unread) => {
  const [event] = eventOf(attributes, { kind: 3 }, {}, scope);

  expect(event?.['unread_usage']).toEqual(unread);
});
