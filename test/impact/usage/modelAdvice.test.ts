import { expect, it } from 'vitest';
import { isSoldAtFlex } from '../../../functions/impact/usage/modelAdvice.ts';

it.each([
  ['openai', 'o3', true],
  ['openai', 'gpt-5-mini-2025-08-07', true],
  ['openai', 'gpt-5.4-nano', true],
  ['openai', 'gpt-5.5-pro-2026-04-23', true],
  ['openai', 'gpt-5.6-sol', true],
  ['google', 'gemini-3.6-flash', true],
  ['openai', 'gpt-4.1', false],
  ['openai', 'gpt-5.1', false],
  ['openai', 'gpt-5.5-mini', false],
  ['openai', 'gpt-5.6-pro', false],
  ['openai', 'gpt-50', false],
  ['azure', 'o3', false],
  ['google', 'gemini-2.5-flash', false],
])('%s sells %s at the flex tier: %s', (provider, model, expected) => {
  expect(isSoldAtFlex(provider, model)).toBe(expected);
});
