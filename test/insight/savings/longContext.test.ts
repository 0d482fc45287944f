import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LongCalls } from '../../../schemas/ledger/rollup.ts';
import { find, NOVEMBER, OCTOBER, service, suggestionsFor } from './suggestions.ts';

type Members = Parameters<typeof service>[1];

// gemini-2.5-pro: 1.25 USD per million of input, 10 of output. A call of more than 200,000 input tokens pays 2.5 and 15.
const MODEL = { provider: 'google', model: 'gemini-2.5-pro' };
const READ = 220_000;

const quantity = (usd: string) => ({ low: usd, central: usd, high: usd, unknown: 0 });

/** Of 100 calls of a service, so many that read 220,000 tokens, and so many that read a million. The others read 10,000. */
const calls = (
  near: number,
  far = 0,
  members: Partial<Members> & { readonly paid?: number } = {},
): Members => {
  const { paid = 1, invocations = 100, ...others } = members;
  const short = invocations - near - far;
  const nearUsd = String((near * READ * 2.5 * paid) / 1e6);
  const usd = (short * 10_000 * 1.25 * paid + far * 1_000_000 * 2.5 * paid) / 1e6 + Number(nearUsd);
  const just_above = {
    invocations: near,
    cost_usd: quantity(nearUsd),
    input_tokens: near * READ,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 0,
  };
  const long: LongCalls['above'] = {
    ...(near + far > 0 && {
      '128000': { invocations: near + far },
      '200000': { invocations: near + far, ...(near > 0 && { just_above }) },
    }),
  };
  return {
    ...MODEL,
    invocations,
    input: short * 10_000 + near * READ + far * 1_000_000,
    cost: String(Number(usd.toFixed(9))),
    long,
    ...others,
  };
};

/** A service, of which the first person has all long calls. */
const planted = (members: Members, at = NOVEMBER.from) =>
  service('chat', { ...members, at }).map((call, index) => (index === 0 ? call : { ...call, long: {} }));

const suggestion = async (now: Members, before?: Members) =>
  find(
    await suggestionsFor([...planted(now), ...(before === undefined ? [] : planted(before, OCTOBER.from))]),
    'long_context',
    'chat',
  );

describe('calls just above the length at which a price rises', () => {
  it('are suggested to be shortened to it, with the part that the price alone is due to', async () => {
    // 20 calls of 220,000 tokens for 2.5 cost 11 USD. 200,000 tokens for 1.25 would cost 5, and all 220,000 for 1.25 cost 5.5.
    expect(await suggestion(calls(20))).toMatchObject({
      owner: 'ads',
      provider: 'google',
      served_model: 'gemini-2.5-pro',
      low_usd: '0',
      high_usd: '6',
      confidence: 'medium',
      invocations: 20,
      cost_usd: '11',
      basis: {
        band_ends_at_tokens: '200000',
        calls_above: '20',
        calls_just_above: '20',
        tokens_to_leave_out: '20000',
        just_above_usd: '11',
        due_to_price_usd: '5.5',
        input_usd_per_million: '1.25',
        input_usd_per_million_above: '2.5',
        paid_of_list: '1',
      },
    });
  });

  it('follow what was paid of the list price', async () => {
    expect(await suggestion(calls(20, 0, { paid: 0.5 }))).toMatchObject({ high_usd: '3' });
  });

  it('are suggested with less confidence if others read far more, which hide what a call below it costs', async () => {
    expect(await suggestion(calls(20, 5))).toMatchObject({
      high_usd: '6',
      confidence: 'low',
      basis: { calls_above: '25', calls_just_above: '20' },
    });
  });

  it.each<[string, Members]>([
    ['no long call', calls(0)],
    ['calls that read far more only', calls(0, 20)],
    ['few calls', calls(20, 0, { invocations: 99 })],
    ['a cost of long calls below a hundredth of all', { ...calls(1, 0), cost: '100' }],
    [
      'a model with one price for every length',
      { ...calls(20), provider: 'openai', model: 'gpt-4.1', cost: '9.8' },
    ],
    ['sums that were stored before lengths were read', { ...calls(20), long: null }],
    // A contract for 1.25 at any length: 20 × 220,000 + 80 × 10,000 tokens.
    ['a contract with one price for every length', contract()],
  ])('are not suggested with %s', async (_, members) => {
    expect(await suggestion(members)).toBeUndefined();
  });

  it('are seen by readers of single records only', async () => {
    const savings = await suggestionsFor(planted(calls(20)), undefined, false);

    expect(find(savings, 'long_context', 'chat')).toBeUndefined();
  });
});

/** Long calls at the price of the short ones. */
function contract(): Members {
  const members = calls(20);
  const above = members.long?.['200000'];
  const just_above = above?.just_above && { ...above.just_above, cost_usd: quantity('5.5') };
  return {
    ...members,
    cost: '6.5',
    long: { ...members.long, '200000': { invocations: 20, ...(just_above && { just_above }) } },
  };
}

describe('what shorter calls have saved', () => {
  it.each<[string, Members, Members, object]>([
    // 15 of 20 calls are short now, each of which cost .3 more.
    ['three of four calls', calls(5), calls(20), { low_usd: '4.5', high_usd: '4.5', unknown: null }],
    ['no call', calls(20), calls(20), { low_usd: '0', high_usd: '0', unknown: null }],
    ['calls that became longer', calls(5, 15), calls(20), { low_usd: '0', high_usd: '0' }],
    [
      'calls before that were not read',
      calls(5),
      { ...calls(20), long: null },
      { unknown: 'unexamined_calls' },
    ],
  ])('is known or not with %s', async (_, now, before, expected) => {
    expect((await suggestion(now, before))?.realised).toMatchObject(expected);
  });

  it('is nothing if only the number of calls changes', async () => {
    const times = fc.integer({ min: 1, max: 20 });
    await fc.assert(
      fc.asyncProperty(times, times, async (then, now) => {
        const of = (count: number) => calls(20 * count, 0, { invocations: 100 * count });

        expect((await suggestion(of(now), of(then)))?.realised).toMatchObject({ high_usd: '0' });
      }),
      { numRuns: 10 },
    );
  });
});
