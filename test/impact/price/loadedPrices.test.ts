import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import type { PriceObjectReader } from '../../../functions/impact/price/lists/priceObject.store.ts';
import { pricesInForce } from '../../../functions/impact/price/lists/pricesInForce.ts';
import { PriceLoad, type PriceObject } from '../../../schemas/attribution/loadedPrices.ts';
import { call } from '../calls.ts';

const SOURCE = { source: 'https://example.com/prices', checked: '2026-11-26' };
const versionOf = (index: number): string => `loaded-2026-11-2${index}-00000000000${index}`;
const objectOf = (...loads: object[]): PriceObject => ({
  loads: loads.map((load, index) => ({
    version: versionOf(index),
    loaded_at: '2026-11-26T00:00:00.000Z',
    prices: PriceLoad.parse(load),
  })),
});
const prices = (provider: string, model: string, ...dated: object[]) => ({
  lists: [{ provider, ...SOURCE, models: { [model]: dated } }],
});

const costOf = async (
  loaded: PriceObject | null,
  at: string,
  fields: Readonly<Record<string, unknown>> = {},
) => {
  const event = call({ input_tokens: 1_000_000, output_tokens: 0, ...fields });
  const { cost } = assessImpact(event, new Date(at), await loadFactors({ loaded }));
  return cost;
};
const central = async (...args: Parameters<typeof costOf>) => (await costOf(...args))?.central;

describe('loaded prices', () => {
  const loaded = objectOf(
    prices('openai', 'gpt-4o', { from: '2026-12-01', input: '2' }),
    prices('openai', 'gpt-4o', { from: '2026-12-20', input: '1' }, { from: '2027-01-10', ended: true }),
  );

  it.each([
    ['2026-11-30T23:59:59.999Z', '2.5', /^genai-prices/],
    ['2026-12-01T00:00:00.000Z', '2', versionOf(0)],
    ['2026-12-19T23:59:59.999Z', '2', versionOf(0)],
    ['2026-12-20T00:00:00.000Z', '1', versionOf(1)],
    // Ended: the price of the service applies again, and not that of an earlier load.
    ['2027-01-10T00:00:00.000Z', '2.5', /^genai-prices/],
  ])('apply from their day: at %s a million tokens cost %s', async (at, usd, version) => {
    const cost = await costOf(loaded, at);

    expect([cost?.low, cost?.central, cost?.high]).toEqual([usd, usd, usd]);
    expect(cost?.catalogue).toMatch(version);
  });

  it('end in the price of a list of the service', async () => {
    // In priceList.json, of 2026-09: 0.14 USD.
    const ending = objectOf(
      prices(
        'deepseek',
        'deepseek-chat',
        { from: '2026-09-01', input: '9' },
        { from: '2026-09-03', ended: true },
      ),
    );
    const deepseek = { provider: 'deepseek', requested_model: 'deepseek-chat' };

    expect(await central(ending, '2026-09-02T12:00:00Z', deepseek)).toBe('9');
    expect(await central(ending, '2026-09-03T12:00:00Z', deepseek)).toBe(
      await central(null, '2026-09-03T12:00:00Z', deepseek),
    );
  });

  it('replace one of the same day by a later load', async () => {
    const corrected = objectOf(
      prices('openai', 'gpt-4o', { from: '2026-12-01', input: '20' }),
      prices('openai', 'gpt-4o', { from: '2026-12-01', input: '2' }),
    );

    expect(await central(corrected, '2026-12-05T00:00:00Z')).toBe('2');
  });

  it('settle what other sources state', async () => {
    // Two tables differ on this alias.
    const flash = { provider: 'google', requested_model: 'codestral@latest' };
    const settled = objectOf(prices('google', 'codestral@latest', { from: '2026-11-01', input: '0.25' }));

    const cost = await costOf(settled, '2026-11-20T00:00:00Z', flash);

    expect([cost?.low, cost?.high, cost?.differing_sources]).toEqual(['0.25', '0.25', undefined]);
  });

  it('multiply by a tier and a place from the day of their rules, and are named by the record', async () => {
    const rules = objectOf({
      tiers: [
        {
          providers: ['openai'],
          models: '^gpt-4o$',
          tiers: ['turbo'],
          from: '2026-12-01',
          to: '2027-01-01',
          times: '3',
          ...SOURCE,
        },
      ],
      places: [
        {
          providers: ['openai'],
          models: '^gpt-4o$',
          regions: '^ch$',
          from: '2026-12-01',
          times: '1.2',
          ...SOURCE,
        },
      ],
    });
    const turbo = { service_tier: 'turbo', region: 'ch' };

    const cost = await costOf(rules, '2026-12-01T00:00:00Z', turbo);

    expect([cost?.low, cost?.central, cost?.high]).toEqual(['9', '9', '9']);
    expect(cost?.catalogue).toBe(`genai-prices@0.1.8+${versionOf(0)}`);
    // The rule of the place goes on, that of the tier has ended.
    expect(await central(rules, '2027-01-01T00:00:00Z', turbo)).toBe('3');
    expect(await costOf(rules, '2026-11-30T00:00:00Z', turbo)).toEqual(
      await costOf(null, '2026-11-30T00:00:00Z', turbo),
    );
  });

  it('name the model of an alias from its day, and both while nobody knows', async () => {
    const moved = objectOf({
      aliases: [
        {
          provider: 'openai',
          ...SOURCE,
          models: {
            'gpt-latest': [
              { from: '2026-12-01', model: 'gpt-4o-mini' },
              { from: '2026-12-10', certain_from: '2026-12-20', model: 'gpt-4o' },
            ],
          },
        },
      ],
    });
    const rangeAt = async (day: string) => {
      const cost = await costOf(moved, `${day}T00:00:00Z`, { requested_model: 'gpt-latest' });
      return cost && [cost.low, cost.central, cost.high, cost.priced_model, cost.catalogue];
    };
    const catalogue = `genai-prices@0.1.8+${versionOf(0)}`;

    expect(await rangeAt('2026-11-30')).toBeNull();
    expect(await rangeAt('2026-12-01')).toEqual(['0.15', '0.15', '0.15', 'gpt-4o-mini', catalogue]);
    expect(await rangeAt('2026-12-10')).toEqual(['0.15', '2.5', '2.5', 'gpt-4o', catalogue]);
    expect(await rangeAt('2026-12-20')).toEqual(['2.5', '2.5', '2.5', 'gpt-4o', catalogue]);
  });

  it.each([
    ['azure', 'gpt-4o', 'switzerlandnorth'],
    ['aws', 'amazon.nova-pro-v1:0', 'eu-south-9'],
    ['aws', 'eu.amazon.nova-pro-v1:0', 'eu-south-9'],
    ['google', 'gemini-2.5-pro', 'europe-west9'],
  ])('multiply by a place at any provider: %s %s', async (provider, model, region) => {
    const rules = objectOf({
      places: [
        { providers: [provider], regions: `^${region}$`, from: '2026-12-01', times: '1.3', ...SOURCE },
      ],
    });
    const event = { provider, requested_model: model, region };

    const [before, after] = [
      await costOf(rules, '2026-11-30T00:00:00Z', event),
      await costOf(rules, '2026-12-01T00:00:00Z', event),
    ];
    const base = await costOf(null, '2026-12-01T00:00:00Z', { ...event, region: undefined });

    expect(before).toEqual(await costOf(null, '2026-11-30T00:00:00Z', event));
    expect(Number(after?.central) / Number(base?.central)).toBeCloseTo(1.3, 9);
    expect(after?.catalogue).toContain(versionOf(0));
  });

  const MODELS = ['gpt-4o', 'gpt-5.6-luna', 'o4-mini', 'gpt-9'];
  it('change no cost of another model, or of an earlier day', async () => {
    const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-11-${String(date).padStart(2, '0')}`);
    const someLoad = fc
      .array(fc.tuple(fc.constantFrom(...MODELS), day, fc.constantFrom('1', '7', '600')), {
        minLength: 1,
        maxLength: 4,
      })
      .map((entries) => ({
        entries,
        object: objectOf(
          ...entries.map(([model, from, input]) => prices('openai', model, { from, input, output: '1' })),
        ),
      }));
    await fc.assert(
      fc.asyncProperty(someLoad, fc.constantFrom(...MODELS), day, async ({ entries, object }, model, on) => {
        const isDated = entries.some(([loadedModel, from]) => loadedModel === model && from <= on);
        const [was, is] = await Promise.all(
          [null, object].map((one) => costOf(one, `${on}T12:00:00Z`, { requested_model: model })),
        );

        if (isDated) expect(is?.catalogue).toMatch(/^loaded-/);
        else expect(is).toEqual(was);
      }),
      { numRuns: 60 },
    );
  });

  it('give the same figures from the object that a record names', async () => {
    const stored: PriceObject = JSON.parse(JSON.stringify(loaded));

    expect(await costOf(stored, '2026-12-25T00:00:00Z')).toEqual(
      await costOf(loaded, '2026-12-25T00:00:00Z'),
    );
  });
});

describe('reading loaded prices', () => {
  const first = objectOf(prices('openai', 'gpt-4o', { from: '2026-12-01', input: '2' }));
  const second = objectOf(
    ...first.loads.map((load) => load.prices),
    prices('openai', 'gpt-9', { from: '2026-12-01', input: '3' }),
  );
  const outage = () => Promise.reject(new Error('S3 is down'));

  const started = (whenUnreadable: 'fail' | 'last_known') => {
    let now = 0;
    const store: { version: string | null; read: PriceObjectReader['read'] } = {
      version: null,
      read: async (version) => (version === versionOf(0) ? first : second),
    };
    const read = pricesInForce(
      {
        inForce: async () =>
          store.version === null
            ? null
            : {
                document: { version: store.version, loaded_at: '2026-11-26T00:00:00.000Z', ulid: '' },
                revision: { claim: '', attempt: 0 },
              },
        read: (...version) => store.read(...version),
      },
      { clock: () => now, whenUnreadable },
    );
    const readLater = () => {
      now += 5_001;
      return read();
    };
    return { store, read: readLater };
  };

  it('takes a new version after five seconds', async () => {
    const { store, read } = started('last_known');

    expect(await read()).toBeNull();
    store.version = versionOf(0);
    expect(await read()).toBe(first);
    store.version = versionOf(1);
    expect(await read()).toBe(second);
  });

  it('goes on with the last known prices for events', async () => {
    const { store, read } = started('last_known');
    store.version = versionOf(0);
    store.read = outage;
    expect(await read()).toBeNull();
    store.read = async () => first;
    expect(await read()).toBe(first);
    store.version = versionOf(1);
    store.read = outage;

    expect(await read()).toBe(first);
  });

  it('fails for a job, which would change records back', async () => {
    const { store, read } = started('fail');
    store.version = versionOf(0);
    store.read = outage;

    await expect(read()).rejects.toThrow('S3 is down');
  });
});
