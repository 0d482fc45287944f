import { expect, it } from 'vitest';
import { drawLabelled, PROTOCOLS } from '../../../tools/evaluation/protocols.ts';

const truths = Array.from({ length: 40_000 }, (_, at) => `service ${at % 200}`);

/** Label rates by service under a protocol, ascending. */
const rates = (name: string): number[] => {
  const protocol = PROTOCOLS.find((one) => one.name === name);
  if (protocol === undefined) throw new Error(name);
  const labelled = drawLabelled(protocol, truths, 3);
  const count = Array.from({ length: 200 }, () => 0);
  labelled.forEach((isLabelled, at) => {
    if (isLabelled) count[at % 200] = (count[at % 200] ?? 0) + 1;
  });
  return count.map((calls) => calls / 200).sort((a, b) => a - b);
};

it.each([
  ['half', 0.5],
  ['tenth', 0.1],
])('labels calls at random under the protocol "%s", at a rate of %d', (name, rate) => {
  const all = rates(name);

  expect(all.reduce((sum, value) => sum + value, 0) / all.length).toBeCloseTo(rate, 2);
  expect(all[0]).toBeGreaterThan(0);
});

it('labels services at different rates under the protocol "uneven"', () => {
  const all = rates('uneven');

  expect(all[20]).toBeLessThan(0.06);
  expect(all[100]).toBeCloseTo(0.2, 0);
  expect(all[180]).toBeGreaterThan(0.7);
});

it('leaves about three in ten services unlabelled under the protocol "unregistered"', () => {
  const unlabelled = rates('unregistered').filter((rate) => rate === 0).length;

  expect(unlabelled).toBeGreaterThan(40);
  expect(unlabelled).toBeLessThan(80);
});

it('draws the same labels for the same seed, and others for another seed', () => {
  const [half] = PROTOCOLS;
  if (half === undefined) throw new Error('no protocol');

  expect(drawLabelled(half, truths, 3)).toEqual(drawLabelled(half, truths, 3));
  expect(drawLabelled(half, truths, 3)).not.toEqual(drawLabelled(half, truths, 4));
});
