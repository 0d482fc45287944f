import { describe, expect, it } from 'vitest';
import type { Attributes, SpanInput } from './messages.ts';
import { CALL, eventsOf } from './spanEvents.ts';

const BEDROCK = {
  ...CALL,
  'gen_ai.provider.name': 'aws.bedrock',
  'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
};
/** What leaves out the cached tokens of Bedrock. */
const AWS_SDK = '@opentelemetry/instrumentation-aws-sdk';
const CACHED = { 'gen_ai.usage.cache_read.input_tokens': 3_000, 'gen_ai.usage.total_tokens': 3_150 };
const MODEL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
};

const span = (id: number, parent: number, attributes: Attributes, members: SpanInput = {}): SpanInput => ({
  spanId: `000000000000000${id}`,
  parentSpanId: parent === 0 ? '' : `000000000000000${parent}`,
  attributes,
  ...members,
});

/** The events of a call of a framework above calls of an SDK. */
const nested = (upper: Attributes, lower: readonly Attributes[], scope = 'sdk', between?: Attributes) =>
  eventsOf([
    { scope: 'framework', items: [span(1, 0, upper), ...(between ? [span(2, 1, between)] : [])] },
    { scope, items: lower.map((attributes, index) => span(3 + index, between ? 2 : 1, attributes)) },
  ]);

describe('a call below another one that reports it too', () => {
  it('has the cached tokens that its instrumentation is known to leave out', () => {
    const [event, ...others] = nested({ ...BEDROCK, ...CACHED }, [BEDROCK], AWS_SDK);

    expect(others).toEqual([]);
    expect(event).toMatchObject({ source_system: AWS_SDK, input_tokens: 3_120, cached_input_tokens: 3_000 });
    expect(event).not.toHaveProperty('unread_usage');
  });

  it.each([
    [
      'counts',
      { ...CALL, 'gen_ai.usage.cache_read.input_tokens': 100 },
      MODEL,
      { input_tokens: 120, cached_input_tokens: 100 },
    ],
    [
      'cached tokens',
      { ...CALL, 'gen_ai.usage.cache_read.input_tokens': 100 },
      CALL,
      { cached_input_tokens: 100 },
    ],
    ['reasoning', { ...CALL, 'gen_ai.usage.reasoning.output_tokens': 10 }, CALL, { reasoning_tokens: 10 }],
    [
      'what was charged',
      { ...CALL, 'gen_ai.usage.cost': 0.5, 'gen_ai.usage.cost.source': 'provider' },
      CALL,
      { estimated_cost_usd: '0.5', cost_source: 'provider' },
    ],
  ])('has the %s of the span above, which it does not state itself', (_, upper, lower, expected) => {
    expect(nested(upper, [lower])).toMatchObject([{ source_system: 'sdk', ...expected }]);
  });

  it.each([
    [
      'counted another call',
      { ...CALL, 'gen_ai.usage.output_tokens': 31, 'gen_ai.usage.cache_read.input_tokens': 100 },
    ],
    ['read less', { ...CALL, 'gen_ai.usage.input_tokens': 119, 'gen_ai.usage.cache_read.input_tokens': 100 }],
    ['only estimates the cost', { ...CALL, 'gen_ai.usage.cost': 0.5 }],
  ])('says what it knows itself if the span above %s', (_, upper) => {
    const [event] = nested(upper, [CALL]);

    expect(event).toMatchObject({ input_tokens: 120, output_tokens: 30 });
    expect(event).not.toHaveProperty('cached_input_tokens');
    expect(event).not.toHaveProperty('estimated_cost_usd');
  });

  it('keeps a tier that only it states', () => {
    const lower = { ...CALL, 'openai.response.service_tier': 'flex' };

    expect(nested({ ...CALL, 'gen_ai.usage.cache_read.input_tokens': 100 }, [lower])).toMatchObject([
      { service_tier: 'flex' },
    ]);
  });

  it('is one of several, of which each says what it knows itself', () => {
    const events = nested({ ...CALL, 'gen_ai.usage.cache_read.input_tokens': 100 }, [CALL, CALL]);

    expect(events).toHaveLength(2);
    for (const event of events) expect(event).not.toHaveProperty('cached_input_tokens');
  });

  it('is another one if a tool or an agent lies between', () => {
    const events = nested({ ...CALL, 'gen_ai.usage.cache_read.input_tokens': 100 }, [CALL], 'sdk', {
      'gen_ai.operation.name': 'execute_tool',
    });

    expect(events).toHaveLength(2);
    expect(events.filter((event) => event['cached_input_tokens'] === 100)).toHaveLength(1);
  });
});

it('the raw request below a call of LiteLLM is no call, whatever members of the answer it has', () => {
  const raw = {
    'llm.anthropic.model': 'claude-sonnet-4-5-20250929',
    'llm.anthropic.id': 'msg_01XFDUDYJgAACzvnptvVoYEL',
    'llm.anthropic.usage': "{'input_tokens': 20, 'output_tokens': 30, 'cache_read_input_tokens': 100}",
  };
  const request = { ...CALL, 'gen_ai.operation.name': 'acompletion', 'gen_ai.cost.total_cost': 0.0144 };

  expect(eventsOf([{ scope: 'litellm', items: [span(1, 0, request), span(2, 1, raw)] }])).toMatchObject([
    { requested_model: 'gpt-4o', input_tokens: 120, estimated_cost_usd: '0.0144' },
  ]);
});
