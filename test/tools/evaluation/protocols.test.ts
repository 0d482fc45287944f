import { expect, it } from 'vitest';
import { drawLabelled, PROTOCOLS } from '../../../tools/evaluation/protocols.ts';

const truths = Array.from({ length: 40_000 }, (_, at) => `service ${at % 200}`);

/** Label rates by service under a protocol, ascending. */
const rates = (name: string): number[] => {
  const protocol = PROTOCOLS.find((one) => one.name === name);
  if (protocol === undefined) throw new Error(name);
  const marks = drawLabelled(protocol, truths, 3);
  const count = Array.from({ length: 200 }, () => 0);
  marks.forEach((mark, at) => {
    if (mark) count[at % 200] = (count[at % 200] ?? 0) + 1;
  });
  return count.map((calls) => calls / 200).sort((a, b) => a - b);
};

it.each([
  ['half', 0.5],
  ['tenth', 0.1],
])('labels %s of the calls at random', (name, rate) => {
  const all = rates(name);

  expect(all.reduce((sum, value) => sum + value, 0) / all.length).toBeCloseTo(rate, 2);
  expect(all[0]).toBeGreaterThan(0);
});

it('labels services unevenly', () => {
  const all = rates('uneven');

  expect(all[20]).toBeLessThan(0.06);
  expect(all[100]).toBeCloseTo(0.2, 0);
  expect(all[180]).toBeGreaterThan(0.7);
});

it('leaves three services in ten without any label', () => {
  const never = rates('unregistered').filter((rate) => rate === 0).length;

  expect(never).toBeGreaterThan(40);
  expect(never).toBeLessThan(80);
});

it('follows from the seed alone', () => {
  const [half] = PROTOCOLS;
  if (half === undefined) throw new Error('no protocol');

  expect(drawLabelled(half, truths, 3)).toEqual(drawLabelled(half, truths, 3));
  expect(drawLabelled(half, truths, 3)).not.toEqual(drawLabelled(half, truths, 4));
});
