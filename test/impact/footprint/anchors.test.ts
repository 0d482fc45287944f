import { expect, it } from 'vitest';
import { modelParameters } from '../../../functions/impact/footprint/modelParameters.ts';
import { compareAnchors } from '../../../tools/accuracy/compareAnchors.ts';

it('has at least eight of ten published energies inside the range, with a median ratio of .67 to 1.5', async () => {
  const anchors = await compareAnchors();

  const ratios = anchors.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
  expect(anchors.filter(({ isInside }) => isInside).length).toBeGreaterThanOrEqual(0.8 * anchors.length);
  for (const half of [Math.floor, Math.ceil]) {
    const median = ratios[half((ratios.length - 1) / 2)];
    expect(median).toBeGreaterThanOrEqual(0.67);
    expect(median).toBeLessThanOrEqual(1.5);
  }
});

// ML.ENERGY v3, medians of H100 and B200: the method alone gives 3.5 to 5.8 times, and a fifth to a half as much.
it.each([
  ['Llama 3.1 405B, 400 tokens', 2.5],
  ['Qwen3 235B, long reasoning', 1.5],
])('is at most so many times the measurement of %s, or as many times less: %d', async (name, times) => {
  const ratio = (await compareAnchors()).find((anchor) => anchor.name === name)?.ratio ?? 0;

  expect(Math.max(ratio, 1 / ratio)).toBeLessThanOrEqual(times);
});

const middle = ({ min, max }: { readonly min: string; readonly max: string }) =>
  (Number(min) + Number(max)) / 2;

it.each([
  [
    'claude-opus-4-5',
    'claude-opus-4-6',
    'claude-opus-4-7',
    'claude-opus-4-8',
    'claude-opus-5',
    'claude-opus-5-5',
  ],
  ['claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-sonnet-5', 'claude-sonnet-5-5', 'claude-sonnet-6'],
  ['claude-haiku-4-5', 'claude-haiku-5', 'claude-haiku-5-5'],
  ['gpt-5.2', 'gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-6', 'gpt-6.1-sol'],
  ['gpt-5.4-pro', 'gpt-5.5-pro', 'gpt-6-pro'],
  ['gpt-5-mini', 'gpt-5.4-mini', 'gpt-6-mini'],
  ['gpt-5-nano', 'gpt-5.4-nano', 'gpt-6-nano'],
  ['gemini-3-pro-preview', 'gemini-3.1-pro-preview', 'gemini-3.5-pro', 'gemini-4-argon'],
  ['claude-fable-5', 'claude-fable-5-1', 'claude-mythos-5', 'claude-mythos-5-1'],
  ['deepseek-v4-flash', 'deepseek-v4.1-flash', 'deepseek-flash'],
  ['qwen3.7-flash', 'qwen3.8-flash'],
  ['gemini-2.5-flash-lite', 'gemini-3.1-flash-lite', 'gemini-3.5-flash-lite'],
] as const)('gives the successors of %s a size within half of that of their predecessor', (...line) => {
  const sizes = line.map((model) => modelParameters(model, 'text'));

  const jumps = sizes.slice(1).flatMap((size, index) => {
    const before = sizes[index];
    if (size === null || size === undefined || before === null || before === undefined)
      return [line[index + 1]];
    const ratio = middle(size.active) / middle(before.active);
    return ratio > 1.5 || ratio < 0.66 ? [`${line[index + 1]}: ${ratio}`] : [];
  });
  expect(jumps).toEqual([]);
});
