import type { ModelSize } from './modelSize.ts';

const dense = (min: string, max: string): ModelSize => ({ total: { min, max }, active: { min, max } });

const experts = (total: string, min: string, max: string): ModelSize => ({
  total: { min: total, max: total },
  active: { min, max },
});

/**
 * Closed models: the ranges EcoLogits publishes as its estimates, in billions (March 2026; mostly a mixture of experts
 * with 10 to 30 % active). Rincé and Banse 2025, doi:10.21105/joss.07471. First match wins: small siblings first.
 */
export const closedModels: readonly (readonly [RegExp, ModelSize])[] = [
  [/^gpt-4o-mini/, dense('8', '28')],
  [/^(?:chat)?gpt-4o/, experts('440', '44', '132')],
  [/^gpt-4\.1-nano/, dense('10', '37')],
  [/^gpt-4\.1-mini/, dense('40', '112')],
  [/^gpt-4\.1/, experts('352', '35', '106')],
  [/^gpt-4-turbo/, experts('880', '88', '264')],
  [/^gpt-4(?:$|-)/, experts('1760', '176', '528')],
  [/^gpt-3\.?5-turbo/, dense('20', '70')],
  [/^o[34]-mini/, dense('8', '28')],
  [/^o1(?!-(?:mini|pro))/, experts('440', '44', '132')],
  [/^gpt-5-nano/, dense('5', '18.5')],
  [/^gpt-5(?:\.1-codex)?-mini/, dense('25', '70')],
  [/^gpt-5-pro/, experts('3600', '360', '1080')],
  [/^gpt-5(?:\.1)?(?:$|-(?!nano|mini|pro))/, experts('300', '30', '90')],
  [/^gpt-5\.2-pro/, experts('5040', '504', '1512')],
  [/^gpt-5\.[23](?:$|-(?!nano|mini|pro))/, experts('420', '42', '126')],
  [/^gpt-5\.4-pro/, experts('5400', '540', '1800')],
  [/^gpt-5\.4(?:$|-(?!nano|mini|pro))/, experts('450', '45', '150')],
  [/^claude-3-haiku/, experts('300', '30', '90')],
  [/^claude-haiku-4[.-]5/, dense('10', '35')],
  [/^claude-(?:sonnet-4(?![.-][789])|4-sonnet)/, experts('440', '44', '132')],
  [/^claude-opus-4[.-][56](?!\d)/, experts('670', '67', '200')],
  [/^claude-(?:opus-4(?:$|-(?:0|1|20\d{6})(?:$|\D)|\.1|@)|4-opus)/, experts('2000', '200', '600')],
  [/^gemini-2\.[05]-flash-lite/, dense('8', '28')],
  [/^gemini-2\.[05]-flash/, experts('440', '44', '132')],
  [/^gemini-2\.5-pro/, experts('2000', '200', '600')],
  [/^gemini-3-flash/, experts('300', '100', '300')],
  [/^gemini-3(?:\.1)?-pro/, experts('1200', '120', '360')],
  [/^(?:mistral|magistral|devstral)-medium-(?:25|3(?:$|-1)|latest)/, dense('70', '120')],
];
