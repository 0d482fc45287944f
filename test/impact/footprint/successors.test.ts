import * as library from '@pydantic/genai-prices';
import { expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import file from '../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import { expectNoFaults } from '../../support/faults.ts';
import { call } from '../calls.ts';

const factors = await loadFactors();
const AT = new Date('2026-11-20T12:00:00Z');
const VENDORS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'x-ai',
  'deepseek',
  'moonshotai',
  'zai',
  'dashscope',
  'minimax',
  'cohere',
];

const VERSION = /\d+(?:[.-]\d+)*/g;
/** The id without its date and channel. */
const bareId = (id: string): string =>
  id
    .replace(/[-@]20\d{2}-?\d{2}-?\d{2}/, '')
    .replace(/-\d{4}$/, '')
    .replace(/-(?:preview|latest|exp)(?:-.*)?$/, '');

const idsOf = (vendor: string): string[] => [
  ...(library.findProvider({ providerId: vendor })?.models.map(({ id }) => id) ?? []),
  ...file.lists.flatMap(({ provider, models }) => (provider === vendor ? Object.keys(models) : [])),
];

interface Version {
  readonly id: string;
  readonly numbers: readonly number[];
  readonly usd: string;
  readonly wh: number;
}

/** The versions of each line of models, such as `claude-opus-#`, oldest first. A count of parameters is no version. */
const linesOf = (vendor: string): Version[][] => {
  const versions = [...new Set(idsOf(vendor))].flatMap((id): (Version & { line: string })[] => {
    const bare = bareId(id);
    const numbers = (bare.match(VERSION) ?? []).flatMap((text) => text.split(/[.-]/).map(Number));
    const event = call({ provider: vendor, requested_model: id, input_tokens: 500, output_tokens: 500 });
    const { cost, energy } = assessImpact(event, AT, factors);
    if (/\d+b/.test(bare) || numbers.length === 0 || cost === null || energy === null) return [];
    return [{ id, numbers, usd: cost.central, wh: Number(energy.central), line: bare.replace(VERSION, '#') }];
  });
  const isOlder = (one: Version, other: Version): number => {
    const differing = one.numbers.findIndex((number, index) => number !== other.numbers[index]);
    return differing === -1 ? -1 : (one.numbers[differing] ?? 0) - (other.numbers[differing] ?? 0);
  };
  return [...Map.groupBy(versions, ({ line }) => line).values()].map((line) => line.toSorted(isOlder));
};

it('gives no model more than 1.5 times the energy of the model that it succeeds at the same price', async () => {
  const pairs = VENDORS.flatMap(linesOf).flatMap((line) =>
    line.slice(1).map((next, index) => ({ next, before: line[index] })),
  );
  const alike = pairs.filter(({ next, before }) => next.usd === before?.usd);

  expect(alike.length).toBeGreaterThan(50);
  await expectNoFaults(
    alike,
    ({ next }) => next.id,
    ({ next, before }) =>
      before !== undefined && next.wh > before.wh * 1.5
        ? [`${next.wh} Wh, and ${before.wh} Wh for ${before.id}`]
        : [],
  );
});
