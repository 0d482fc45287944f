import { expect, it } from 'vitest';
import { decode, decodeOne, MODEL, USAGE } from './decoding.ts';

const METHODS = [
  ...['Converse', 'ConverseStream', 'InvokeModel', 'InvokeModelWithResponseStream'].flatMap((method) =>
    ['BedrockRuntime', 'Bedrock Runtime', 'bedrock-runtime'].map((service) => [service, method] as const),
  ),
  ['google.cloud.aiplatform.v1.PredictionService', 'StreamGenerateContent'] as const,
  ['google.ai.generativelanguage.v1beta.GenerativeService', 'GenerateContent'] as const,
];

it.each(METHODS)('an RPC to %s of %s that says nothing else is named as unread', (service, method) => {
  const apart = decodeOne({ 'rpc.system': 'aws-api', 'rpc.service': service, 'rpc.method': method }, 'sdk');
  const together = decodeOne({ 'rpc.method': `${service}/${method}` }, 'sdk');

  for (const { events, unread } of [apart, together])
    expect([events, [...unread]]).toEqual([[], [['sdk', 1]]]);
});

it.each([
  ['BedrockRuntime', 'ApplyGuardrail'],
  ['BedrockRuntime', 'CountTokens'],
  ['Bedrock Agent Runtime', 'Retrieve'],
  ['S3', 'PutObject'],
  ['grpc.health.v1.Health', 'Check'],
  ['example.v1.ChatService', 'Chat'],
])('an RPC to %s of %s calls no model', (service, method) => {
  const { events, unread } = decodeOne({ 'rpc.service': service, 'rpc.method': method });

  expect([events, unread.size]).toEqual([[], 0]);
});

const RPC = { 'rpc.service': 'BedrockRuntime', 'rpc.method': 'ConverseStream' };

it('an RPC with a model and counts is a call', () => {
  expect(decodeOne({ ...RPC, ...MODEL, ...USAGE })).toMatchObject({ events: [{ input_tokens: 1_000 }] });
});

it.each([
  ['below', 1],
  ['above', 0],
])('an RPC %s the span of its call is not named beside it', (_, call) => {
  const ids = ['a'.repeat(16), 'b'.repeat(16)] as const;
  const [one, other] = call === 1 ? [{ ...MODEL, ...USAGE }, RPC] : [RPC, { ...MODEL, ...USAGE }];
  const { events, unread } = decode([
    { spanId: ids[0], attributes: one },
    { spanId: ids[1], parentSpanId: ids[0], attributes: other },
  ]);

  expect([events.length, unread.size]).toEqual([1, 0]);
});
