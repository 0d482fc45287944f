import { expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import { pricesOf } from '../../../functions/impact/price/lists/listPrices.ts';
import { savingsOf } from '../../../functions/insight/savings/savingsOf.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { type Decimal, toDecimalString } from '../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { sampleDataSet } from '../../../functions/tenants/sandbox/sample/dataSet.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Call, rollupReaderOf, TENANT } from '../reports/calls.ts';

const END = new Date('2026-11-21T00:00:00Z');
const DAYS = 10;
const DAY_MS = 86_400_000;

/** USD of so many tokens times a price per million. */
const usd = (product: number): string => String(Number((product / 1e6).toFixed(9)));

const serviceOf = ({ attributed_service, k8s_workload, spiffe_id, api_key_name }: InvocationEvent) =>
  attributed_service ?? k8s_workload ?? spiffe_id?.split('/').at(-1) ?? api_key_name ?? null;

const readSample = async (): Promise<Call[]> => {
  const factors = await loadFactors();
  return [...sampleDataSet({ seed: 1, events: 3_000, end: END, days: DAYS })].map((event): Call => {
    const at = new Date(event.occurred_at ?? event.ingestion_timestamp);
    const { cost } = assessImpact(event, at, factors);
    return {
      at: at.getTime(),
      person: event.end_user ?? event.attributed_identity,
      service: serviceOf(event),
      provider: event.provider,
      model: event.served_model ?? event.requested_model,
      ...(event.pathway_category !== undefined && { pathway: event.pathway_category }),
      cost: cost?.central ?? null,
      tokens: {
        input_tokens: event.input_tokens ?? 0,
        cached_input_tokens: event.cached_input_tokens ?? 0,
        output_tokens: event.output_tokens ?? 0,
      },
    };
  });
};

it('suggests for the sample what its sums and the list prices give by hand', async () => {
  const range = { from: END.getTime() - DAYS * DAY_MS, to: END.getTime() };
  const { cohorts } = await readCohorts(rollupReaderOf(await readSample()), TENANT, range);
  // Ten of thirty days.
  const monthly = (amount: Decimal) => toDecimalString(amount.times('3'));
  const [starts, lengths] = [[], { before: 1, now: 1 }];
  const now = { matching: cohorts, undetermined: [] };
  const period = { at: END, monthly, starts, lengths };
  const savings = savingsOf(now, null, period, calendarIn('UTC'), false, pricesOf(null, null));

  // Three times the cached tokens that are missing, times the difference of both prices. Those of the first row: half of
  // 4,729,050 − 201 × 1,024, without the 59,008 that are cached. Its replacement: .51172778 instead of 10.075724 USD by the list,
  // or 1.35 times as much.
  expect(
    savings.map(({ saving, service, low_usd, high_usd }) => [saving, service, low_usd, high_usd]),
  ).toEqual([
    ['prompt_caching', 'checkout-assistant', '0', usd(3 * 2_202_605 * (2 - 0.5))],
    ['replacement_model', 'checkout-assistant', '28.154674491', '28.69198866'],
    ['prompt_caching', 'contract-analyst', '0', usd(3 * 452_385 * (2.5 - 1.25))],
    ['prompt_caching', 'knowledge-search', '0', usd(3 * 868_488 * (0.3 - 0.03))],
    // The code reviewer reads 36.8 % of its input to this model from the cache.
    ['prompt_caching', 'support-copilot', '0', usd(3 * 1_187_914 * (3 - 0.3))],
  ]);
  expect(3 * (10.075724 - 0.51172778)).toBeCloseTo(28.69198866, 9);
  expect(3 * (10.075724 - 1.35 * 0.51172778)).toBeCloseTo(28.154674491, 9);
});
