import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addCall,
  type Division,
  divideHour,
  lineOf,
  noSums,
  shareOf,
} from '../../../../functions/attribution/allocation/nodeHours/divideHour.ts';
import type { CallUse } from '../../../../functions/impact/price/nodePools.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';

const HOUR = 3_600_000;
const AT = Date.parse('2026-11-20T10:00:00Z');

interface Call {
  readonly use: CallUse;
  readonly offset: number;
}

const call = (output: number | null, milliseconds: number | null, offset = 0, uncached = 0): Call => ({
  use: { tokens: output === null ? null : { uncached, cached: 0, output }, milliseconds },
  offset,
});
const poolWith = (weights?: { input: string; cached_input: string; output: string }) => ({
  name: 'gpu',
  ...(weights !== undefined && { weights }),
});
const MEASURED = { input: '1', cached_input: '0', output: '4' };

const divided = (
  calls: readonly Call[],
  cost: string,
  { nodes = 1, pool = poolWith(MEASURED), wh = null as string | null } = {},
) => {
  const sums = noSums();
  for (const { use, offset } of calls) addCall(sums, pool, use, offset);
  const energy = wh === null ? null : parseFixedPoint(wh);
  const division = divideHour({ nodes, cost: parseFixedPoint(cost), energy }, sums);
  let before = 0n;
  const shares = calls.map(({ use }) => {
    const { divided: share, upTo } = shareOf(division, { pool, hour: AT }, use, before);
    before = upTo;
    return share;
  });
  return { division, shares };
};
const idleOf = ({ cost, charged }: Division) => formatFixedPoint(cost - charged);

it('names whose calls pay most of an hour, so that invented use shows', () => {
  const { division } = divided([call(10, 1_000)], '12');
  const byCredential = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `key_${index}`,
      { calls: 1, charged: parseFixedPoint(String(index)) },
    ]),
  );

  const { credentials } = lineOf({ ...division, byCredential }, 'gpu', AT, AT);

  expect(credentials?.length).toBe(10);
  expect(credentials?.slice(0, 2)).toEqual([
    { id: 'key_29', calls: 1, charged_usd: '29' },
    { id: 'key_28', calls: 1, charged_usd: '28' },
  ]);
});

describe('the cost of a node hour', () => {
  it('is the sum of its calls and what is idle, to the last digit, whatever the events tell', () => {
    const known = (most: number) => fc.option(fc.integer({ min: 0, max: most }), { freq: 8 });
    const calls = fc.array(
      fc
        .tuple(known(200_000), known(HOUR), fc.integer({ min: 0, max: HOUR - 1 }), fc.nat(100_000))
        .map(([output, milliseconds, offset, input]) => call(output, milliseconds, offset, input)),
      { maxLength: 60 },
    );
    const cost = fc.bigInt({ min: 0n, max: 10n ** 17n }).map((amount) => formatFixedPoint(amount));
    fc.assert(
      fc.property(calls, cost, fc.integer({ min: 1, max: 20 }), fc.boolean(), (all, usd, nodes, isStated) => {
        const { division, shares } = divided(all, usd, {
          ...{ nodes, wh: usd },
          pool: poolWith(isStated ? MEASURED : undefined),
        });
        const sum = shares.reduce((total, share) => total + parseFixedPoint(share?.usd ?? '0'), 0n);

        expect(sum + division.cost - division.charged).toBe(parseFixedPoint(usd));
        expect(division.charged).toBeLessThanOrEqual(division.cost);
        // Energy is divided by the same rule as cost.
        expect(division.energy).toEqual({ whole: division.cost, charged: division.charged });
        expect(shares.map((share) => share?.share.energy?.wh)).toEqual(shares.map((share) => share?.usd));
        for (const share of shares) {
          if (share === null) continue;
          const [low, central, high] = [share.share.low, share.usd, share.share.high].map(parseFixedPoint);
          expect(low).toBeLessThanOrEqual(central ?? -1n);
          expect(high).toBeGreaterThanOrEqual(central ?? -1n);
        }
      }),
    );
  });

  it('does not depend on the order of the calls, but for the last digit of each', () => {
    const calls = [call(7, 900, 10), call(11, 400, 2_000), call(13, 100, 2_100)];

    const [one, other] = [divided(calls, '1'), divided(calls.toReversed(), '1')];

    expect(other.division).toEqual(one.division);
    for (const [index, share] of one.shares.entries()) {
      const same = other.shares[calls.length - 1 - index];
      const difference = parseFixedPoint(share?.usd ?? '') - parseFixedPoint(same?.usd ?? '');
      expect(difference === 0n || difference === 1n || difference === -1n).toBe(true);
    }
  });
});

describe('what is charged', () => {
  it('is the time in which a call ran', () => {
    const { division, shares } = divided([call(10, HOUR / 4), call(30, HOUR / 4)], '8');

    // Both run at once, so the node is busy for a quarter of an hour.
    expect(division).toMatchObject({ busy: 'busy_time', measure: 'tokens' });
    expect(idleOf(division)).toBe('6');
    expect(shares.map((share) => share?.usd)).toEqual(['0.5', '1.5']);
  });

  it('counts as many nodes as there are calls at once', () => {
    const { division } = divided([call(10, HOUR), call(10, HOUR)], '8', { nodes: 4 });

    expect(idleOf(division)).toBe('4');
  });

  it('is the whole hour where a duration is unknown', () => {
    const { division } = divided([call(10, 1_000), call(10, null)], '8');

    expect(division.busy).toBe('whole_hour');
    expect(idleOf(division)).toBe('0');
  });

  it('leaves out what runs on after the end of the hour', () => {
    const { division } = divided([call(10, HOUR, HOUR / 2)], '8');

    expect(idleOf(division)).toBe('4');
  });

  it('is nothing without calls, or without work', () => {
    expect(idleOf(divided([], '8').division)).toBe('8');
    expect(idleOf(divided([call(0, HOUR)], '8').division)).toBe('8');
  });
});

describe('the use of a call', () => {
  it('is its duration where more calls have one than tokens', () => {
    const { division, shares } = divided([call(null, 3_000), call(5, 1_000, 5_000)], '3600');

    expect(division).toMatchObject({ measure: 'seconds', unmeasured: 0 });
    expect(shares.map((share) => share?.usd)).toEqual(['3', '1']);
    expect(shares[0]?.share).toMatchObject({ use: '3', whole_use: '4', low: '3', high: '3' });
  });

  it('gives no cost to a call of which it is unknown, and a range to the others', () => {
    const { division, shares } = divided([call(null, null), call(5, null)], '8');

    expect(division).toMatchObject({ measure: 'tokens', unmeasured: 1 });
    expect(shares[0]).toBeNull();
    expect(shares[1]).toMatchObject({ usd: '8', share: { low: '4', high: '8' } });
  });

  it('is exact by stated weights, and a range by judged ones', () => {
    const calls = [call(0, HOUR, 0, 1_000), call(1_000, HOUR)];

    const stated = divided(calls, '10').shares;
    const judged = divided(calls, '10', { pool: poolWith() }).shares;

    expect(stated.map((share) => [share?.share.low, share?.usd, share?.share.high])).toEqual([
      ['2', '2', '2'],
      ['8', '8', '8'],
    ]);
    expect(judged.map((share) => share?.usd)).toEqual(['2', '8']);
    expect(judged[0]?.share).toMatchObject({ low: '0.90909090909', high: '3.333333333333' });
  });
});
