import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CountingMarks } from '../../../functions/ingest/formats/producerConventions.ts';
import { decideCounts, type StatedCounts } from '../../../functions/ingest/formats/tokenCounts.ts';

const count = fc.nat({ max: 100_000 });

/** Tokens of a call that do not overlap. */
const calls = fc.record({
  text: count,
  cacheRead: count,
  cacheWrite: count,
  visible: count,
  reasoning: count,
  audioOutput: count,
  imageOutput: count,
  /** Media among what was read. */
  audioShare: fc.double({ min: 0, max: 0.5, noNaN: true }),
});

/** Producers whose total is what it says, of any convention. */
const producers = fc.constantFrom<CountingMarks>(
  { source: 'somebody', provider: 'nobody' },
  { source: 'openinference.instrumentation.bedrock', provider: 'aws' },
  { source: 'strands.telemetry.tracer', provider: 'strands-agents', model: 'us.anthropic.claude-sonnet-4-5' },
  { source: 'spring-ai', provider: 'google_genai', model: 'gemini-3-pro' },
  { source: '', provider: 'x_ai', model: 'grok-4.20' },
  { source: '', provider: 'openai', model: 'gpt-5.4' },
);

/** The counts of a call as a producer states them that counts the parts of its input and of its output in one way each. */
const statedBy = (
  call: typeof calls extends fc.Arbitrary<infer Value> ? Value : never,
  isBeside: { readonly cached: boolean; readonly generated: boolean },
): { readonly stated: StatedCounts; readonly input: number; readonly output: number } => {
  const { text, cacheRead, cacheWrite, visible, reasoning, audioOutput, imageOutput } = call;
  const input = text + cacheRead + cacheWrite;
  const output = visible + reasoning + audioOutput + imageOutput;
  const stated = {
    input: isBeside.cached ? text : input,
    output: isBeside.generated ? visible : output,
    cacheRead,
    cacheWrite,
    reasoning,
    audioInput: Math.floor(Math.min(text, input) * call.audioShare),
    audioOutput,
    imageOutput,
    totals: [input + output],
  };
  return { stated, input, output };
};

describe('token counts with a total', () => {
  it('are the same in every convention, or a range that covers them', () => {
    let decided = 0;
    fc.assert(
      fc.property(calls, producers, fc.boolean(), fc.boolean(), (call, marks, cached, generated) => {
        const { stated, input, output } = statedBy(call, { cached, generated });
        const counts = decideCounts(stated, marks);

        if (counts.inputHigh === undefined && counts.outputHigh === undefined) {
          decided += 1;
          expect(counts).toMatchObject({ input, output });
          return;
        }
        expect(counts.input).toBeLessThanOrEqual(input);
        expect(counts.inputHigh ?? counts.input).toBeGreaterThanOrEqual(input);
        expect(counts.output).toBeLessThanOrEqual(output);
        expect(counts.outputHigh ?? counts.output).toBeGreaterThanOrEqual(output);
      }),
      { numRuns: 1_000 },
    );
    expect(decided).toBeGreaterThan(950);
  });

  it('keep every part at most as large as its whole, whatever a producer sends', () => {
    const some = fc.nat({ max: 50 });
    const stated = fc.record(
      {
        input: some,
        output: some,
        cacheRead: some,
        cacheWrite: some,
        reasoning: some,
        audioInput: some,
        imageInput: some,
        audioOutput: some,
        totals: fc.array(fc.nat({ max: 300 }), { maxLength: 2 }),
      },
      { requiredKeys: ['input', 'output'] },
    );
    fc.assert(
      fc.property(stated, producers, (sent, marks) => {
        const { input = 0, output = 0, ...counts } = decideCounts(sent, marks);

        expect((counts.cacheRead ?? 0) + (counts.cacheWrite ?? 0)).toBeLessThanOrEqual(input);
        expect((counts.audioInput ?? 0) + (counts.imageInput ?? 0)).toBeLessThanOrEqual(input);
        expect((counts.reasoning ?? 0) + (counts.audioOutput ?? 0)).toBeLessThanOrEqual(output);
        expect(counts.inputHigh ?? input).toBeGreaterThanOrEqual(input);
        expect(counts.outputHigh ?? output).toBeGreaterThanOrEqual(output);
      }),
      { numRuns: 2_000 },
    );
  });
});

const CACHED = { input: 4_500, output: 200, cacheRead: 3_000, cacheWrite: 0 };
const SUM = { ...CACHED, totals: [4_700] };
const CLAUDE = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
const BEDROCK = { provider: 'AWS', model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' };
const beside = { input: 7_500 };
const within = { input: 4_500 };
const open = { input: 4_500, inputHigh: 7_500 };

describe('a total with tokens that no count has', () => {
  const GEMINI = {
    source: 'openinference.instrumentation.vertexai',
    provider: 'google',
    model: 'gemini-2.5-pro',
  };
  it.each<[string, StatedCounts, CountingMarks, object]>([
    [
      'without parts',
      { input: 1_000, output: 500, totals: [1_900] },
      GEMINI,
      { output: 500, outputHigh: 900 },
    ],
    [
      'beside cached tokens within the input',
      { input: 1_000, output: 500, cacheRead: 200, totals: [1_900] },
      GEMINI,
      { output: 500, outputHigh: 900 },
    ],
    [
      'beyond every reading of the parts',
      { input: 1_000, output: 500, cacheRead: 200, totals: [1_900] },
      { source: '', ...CLAUDE },
      { output: 500, outputHigh: 700, inputHigh: 1_200 },
    ],
    ['under two names', { input: 1_000, output: 500, totals: [1_900, 1_500] }, GEMINI, { output: 500 }],
    [
      'of a producer whose totals are wrong',
      { ...CACHED, totals: [9_000] },
      { source: 'bedrock log', model: 'openai.gpt-5.6-luna' },
      { output: 200, inputHigh: 7_500 },
    ],
    ['below its counts', { input: 1_000, output: 500, totals: [900] }, GEMINI, { output: 500 }],
    ['of input alone', { input: 1_000, output: undefined, totals: [1_900] }, GEMINI, { output: undefined }],
  ])('makes a range up to their price as output: %s', (_name, stated, marks, expected) => {
    const { input: _input, cacheRead: _read, cacheWrite: _write, ...counts } = decideCounts(stated, marks);

    expect(counts).toEqual(expected);
  });
});

it.each<[string, Partial<StatedCounts>, { readonly input?: number; readonly output?: number }]>([
  ['thoughts alone', { reasoning: 71, totals: [488] }, { output: 71 }],
  ['nothing', { totals: [417] }, { output: 0 }],
  [
    'thoughts after input of tools',
    { reasoning: 71, toolInput: 12, totals: [500] },
    { input: 429, output: 71 },
  ],
  ['what has no name', { reasoning: 71, totals: [500] }, {}],
  ['thoughts, without a total', { reasoning: 71 }, {}],
])('a call that states no output has the one that its total proves: %s', (_name, stated, expected) => {
  const counts = decideCounts(
    { input: 417, output: undefined, ...stated },
    { source: '', provider: 'google', model: 'gemini-3-flash' },
  );

  expect(counts).toMatchObject({ input: 417, ...expected });
  expect(counts.output).toBe(expected.output);
});

describe('token counts without a total that proves anything', () => {
  it.each<[string, StatedCounts, CountingMarks, object]>([
    ['AI SDK 5 with Anthropic', SUM, { source: 'ai', provider: 'anthropic.messages' }, beside],
    [
      'AI SDK 6 with Anthropic',
      SUM,
      {
        source: 'ai',
        provider: 'anthropic.messages',
        has: (name) => name === 'ai.usage.inputTokenDetails.cacheReadTokens',
      },
      within,
    ],
    ['AI SDK 5 with OpenAI', SUM, { source: 'ai', provider: 'openai.responses' }, within],
    ['AI SDK 5 through a gateway', SUM, { source: 'ai', provider: 'gateway', model: CLAUDE.model }, open],
    ['AI SDK 7', SUM, { source: 'gen_ai', ...CLAUDE }, within],
    ['OpenLLMetry Bedrock', SUM, { source: 'opentelemetry.instrumentation.bedrock', ...BEDROCK }, beside],
    [
      'OpenLLMetry Bedrock, of a version that nobody compared',
      SUM,
      { source: 'opentelemetry.instrumentation.bedrock', version: '0.70.1', ...BEDROCK },
      open,
    ],
    ['OpenLLMetry Anthropic', SUM, { source: 'opentelemetry.instrumentation.anthropic', ...CLAUDE }, within],
    [
      'OpenInference Anthropic',
      CACHED,
      { source: 'openinference.instrumentation.anthropic', ...CLAUDE },
      within,
    ],
    ['Strands without a total', CACHED, { source: 'strands.telemetry.tracer', ...BEDROCK }, open],
    ['an unknown producer with Anthropic', CACHED, { source: '', ...CLAUDE }, open],
    ['an unknown producer with Anthropic and a sum', SUM, { source: '', ...CLAUDE }, open],
    [
      'an unknown producer with Converse and its total',
      { ...CACHED, totals: [7_700] },
      { source: '', ...BEDROCK },
      beside,
    ],
    ['Strands with a sum', SUM, { source: 'strands.telemetry.tracer', ...CLAUDE }, open],
    [
      'OpenInference Bedrock with a stream of Nova',
      SUM,
      { source: 'openinference.instrumentation.bedrock', provider: 'aws', model: 'us.amazon.nova-pro-v1:0' },
      beside,
    ],
    ['a producer that states them inclusive', SUM, { source: '', semantics: 'inclusive', ...CLAUDE }, within],
    ['a producer that states them exclusive', SUM, { source: '', semantics: 'exclusive', ...CLAUDE }, beside],
    [
      'a producer that states something unknown',
      CACHED,
      { source: '', semantics: 'provider', ...CLAUDE },
      open,
    ],
    ['an unknown producer with OpenAI', CACHED, { source: '', provider: 'openai' }, within],
    [
      'an unknown producer with OpenRouter',
      CACHED,
      { source: '', provider: 'openrouter', model: 'anthropic/claude-haiku-4.5' },
      within,
    ],
    ['a log of Bedrock', CACHED, { source: 'bedrock log' }, beside],
    [
      'a log of Bedrock with many cached tokens',
      { ...CACHED, input: 18 },
      { source: 'bedrock log' },
      { input: 3_018 },
    ],
    [
      'GPT at Bedrock, whose streams count twice',
      { ...CACHED, totals: [7_700] },
      { source: 'bedrock log', model: 'openai.gpt-5.6-luna' },
      open,
    ],
    [
      'a total that leaves cached tokens out',
      { ...CACHED, totals: [1_700] },
      { source: 'strands', ...CLAUDE },
      within,
    ],
    ['a total that fits nothing', { ...CACHED, totals: [521] }, { source: 'litellm', ...CLAUDE }, within],
    [
      'more cached tokens than input',
      { ...CACHED, input: 100 },
      { source: '', provider: 'openai' },
      { input: 3_100 },
    ],
  ])(
    'are read as %s counts, with a warning if the counts break its convention or leave it open',
    (name, stated, marks, expected) => {
      const warnings = new Set<string>();
      const { input, inputHigh } = decideCounts(stated, marks, warnings);

      expect(warnings.size).toBe(Number(inputHigh !== undefined || name.startsWith('more cached tokens')));

      expect({ input, ...(inputHigh !== undefined && { inputHigh }) }).toEqual(expected);
    },
  );

  it.each<[string, CountingMarks, object]>([
    ['xAI', { source: '', provider: 'x_ai' }, { output: 1_500, outputHigh: 2_300 }],
    ['Gemini', { source: '', provider: 'gcp.gemini' }, { output: 1_500, outputHigh: 2_300 }],
    [
      'Gemini of the official instrumentation',
      { source: 'opentelemetry.instrumentation.google_genai', provider: 'gcp.gemini' },
      { output: 1_500 },
    ],
    ['OpenAI', { source: '', provider: 'openai' }, { output: 1_500 }],
    ['Gemini CLI', { source: 'gemini_cli' }, { output: 2_300 }],
  ])('place reasoning as %s does', (_name, marks, expected) => {
    const warnings = new Set<string>();
    const { output, outputHigh } = decideCounts(
      { input: 1_000, output: 1_500, reasoning: 800 },
      marks,
      warnings,
    );

    expect({ output, ...(outputHigh !== undefined && { outputHigh }) }).toEqual(expected);
    expect(warnings.size).toBe(outputHigh === undefined ? 0 : 1);
  });
});
