import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type PricedModel,
  type ServiceSums,
  savingsByHand,
  sumCalls,
} from '../../../bench/quality/savingsByHand.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import { service, suggestionsFor } from '../../insight/savings/suggestions.ts';

const models: readonly PricedModel[] = ['gpt-4.1', 'gpt-4o', 'gpt-6-luna'];

/** Up to four services, of which some have fewer calls than a suggestion needs, and short inputs. */
const traces = fc.array(
  fc
    .record({
      model: fc.constantFrom(...models),
      namesPersons: fc.boolean(),
      calls: fc.integer({ min: 90, max: 4_000 }),
      tokensOfCall: fc.integer({ min: 10, max: 20_000 }),
      cachedPercent: fc.constantFrom(0, 0, 5, 37, 90),
      output: fc.integer({ min: 0, max: 2_000_000 }),
    })
    .map(({ tokensOfCall, cachedPercent, ...members }) => {
      const input = members.calls * tokensOfCall;
      return { ...members, input, cached: Math.floor((input * cachedPercent) / 100) };
    }),
  { minLength: 1, maxLength: 4 },
);

const priceOf = {
  'gpt-4.1': [2_000_000n, 500_000n, 8_000_000n],
  'gpt-4o': [2_500_000n, 1_250_000n, 10_000_000n],
  'gpt-6-luna': [100_000n, 10_000n, 500_000n],
} as const;

it('computes the suggestions of the service for any calls at list prices, without its code', async () => {
  await fc.assert(
    fc.asyncProperty(traces, async (trace) => {
      const named = trace.map((one, index) => ({ ...one, service: `service-${index}` }));
      const calls = named.flatMap(({ service: name, model, namesPersons, calls: count, ...tokens }) => {
        const [input, cached, output] = priceOf[model];
        const cost = formatFixedPoint(
          BigInt(tokens.input - tokens.cached) * input +
            BigInt(tokens.cached) * cached +
            BigInt(tokens.output) * output,
        );
        const all = service(name, { ...tokens, model, cost, invocations: count });
        return namesPersons ? all : all.map(({ person: _person, ...call }) => call);
      });
      const sums = named.map(
        ({ namesPersons, model, ...one }): ServiceSums => ({
          service: one.service,
          model,
          namesPersons,
          calls: BigInt(one.calls),
          input: BigInt(one.input),
          cached: BigInt(one.cached),
          output: BigInt(one.output),
        }),
      );

      const suggested = await suggestionsFor(calls);
      const shown = (saving: string, name: unknown, low: bigint, high: bigint): string =>
        `${name} ${saving} ${low} ${high}`;
      expect(
        suggested
          .map(({ saving, service: name, low_usd, high_usd }) =>
            shown(saving, name, parseFixedPoint(low_usd), parseFixedPoint(high_usd)),
          )
          .toSorted(),
      ).toEqual(
        savingsByHand(sums, 30n)
          .map(({ saving, service: name, low, high }) => shown(saving, name, low, high))
          .toSorted(),
      );
    }),
  );
});

it('sums what calls read and wrote', () => {
  const call = { ingestion_layer: 'replay', provider: 'openai', requested_model: 'gpt-4o' };
  const calls = [
    { ...call, input_tokens: 10, cached_input_tokens: 4, output_tokens: 1 },
    { ...call, input_tokens: 5 },
  ];

  expect(sumCalls(calls, { service: 'chat', model: 'gpt-4o', namesPersons: true })).toMatchObject({
    calls: 2n,
    input: 15n,
    cached: 4n,
    output: 1n,
  });
});
