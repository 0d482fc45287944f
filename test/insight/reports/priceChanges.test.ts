import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PricesAt, priceChanges } from '../../../functions/insight/reports/changes/priceChanges.ts';
import type { Cohort } from '../../../functions/ledger/cohorts/cohorts.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { toIso } from '../../../functions/platform/shared/time/toIso.ts';
import { PRICE_CHANGES_MAXIMUM } from '../../../schemas/insight/changes.ts';

const FROM = Date.parse('2026-03-01');
const RANGE = { from: FROM, to: FROM + 20 * LENGTH.day };

const cohort = (provider: string, served_model: string): Cohort => ({
  at: FROM,
  length: LENGTH.day,
  labels: { provider, served_model },
  parts: [],
});

const priced = (usd: string) => ({
  uncached: decimal(usd),
  cached: decimal(usd),
  written: null,
  output: decimal(usd),
});

/** A price that is one USD more from each of these moments on. */
const risingAt =
  (moments: readonly number[]): PricesAt =>
  (_provider, _model, at) =>
    priced(String(1 + moments.filter((moment) => moment <= at).length));

it('finds each change to the minute, if no two are on one day, and none outside of the interval', () => {
  const minutes = fc.uniqueArray(
    fc.record({ day: fc.integer({ min: -3, max: 23 }), minute: fc.integer({ min: 0, max: 1_439 }) }),
    { selector: ({ day }) => day, maxLength: 8 },
  );
  fc.assert(
    fc.property(minutes, (chosen) => {
      const moments = chosen.map(({ day, minute }) => FROM + day * LENGTH.day + minute * LENGTH.minute);
      // A change at the beginning of a day belongs to the day before it for the search: keep them a day apart.
      const apart = moments.filter((one) =>
        moments.every((other) => one === other || Math.abs(one - other) > LENGTH.day),
      );

      const found = priceChanges([cohort('openai', 'gpt')], RANGE, risingAt(apart)).map(({ at }) => at);

      expect(found.toSorted()).toEqual(
        apart
          .filter((moment) => RANGE.from <= moment && moment < RANGE.to)
          .map(toIso)
          .toSorted(),
      );
    }),
  );
});

it('does not take a price by the time of the day for a change', () => {
  const byHour: PricesAt = (_provider, _model, at) => priced(at % LENGTH.day < 8 * LENGTH.hour ? '1' : '2');

  expect(priceChanges([cohort('deepseek', 'chat')], RANGE, byHour)).toEqual([]);
});

it.each<[string, PricesAt]>([
  ['is listed for the first time', (_provider, _model, at) => (at < FROM + LENGTH.day ? null : priced('1'))],
  ['is listed no longer', (_provider, _model, at) => (at < FROM + LENGTH.day ? priced('1') : null)],
])('tells no change of a model that %s', (_what, pricesAt) => {
  expect(priceChanges([cohort('openai', 'gpt')], RANGE, pricesAt)).toEqual([]);
});

it('names each model once, and no cohort whose model is hidden', () => {
  const cohorts = [cohort('openai', 'gpt'), cohort('openai', 'gpt'), { ...cohort('', ''), labels: {} }];

  expect(priceChanges(cohorts, RANGE, risingAt([FROM + LENGTH.day]))).toHaveLength(1);
});

it('keeps the newest changes where there are very many', () => {
  const models = Array.from({ length: 10 }, (_, index) => cohort('openai', `gpt-${index}`));
  const daily = Array.from({ length: 20 }, (_, day) => FROM + day * LENGTH.day);

  const found = priceChanges(models, RANGE, risingAt(daily));

  expect(found).toHaveLength(PRICE_CHANGES_MAXIMUM);
  expect(found[0]?.at).toBe(toIso(FROM + 19 * LENGTH.day));
});
