import * as z from 'zod';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import { decimal } from '../../../../platform/shared/decimal.ts';
import { toIso } from '../../../../platform/shared/time/toIso.ts';
import { tierOf } from './anthropicTier.ts';
import { anthropicUsage } from './anthropicUsage.ts';
import {
  type CostApi,
  nextPage,
  OtherCurrency,
  ReportedAmount,
  type ReportedCharge,
  ReportedCurrency,
  toBilledCost,
} from './costReport.ts';
import { parseExactJson } from './exactJson.ts';

/** Amounts are in cents: `"123.45"` is 1.2345 USD. */
const USD_PER_CENT = decimal('0.01');

/** The API bills in USD only. The lowest unit of another currency need not be a hundredth. */
const requireUsd = (currency: string): void => {
  if (currency.toUpperCase() !== 'USD') throw new OtherCurrency('a charge is not in USD');
};

const Text = z.string().nullish();
/** https://platform.claude.com/docs/en/api/admin/cost_report */
const CostReport = z.object({
  data: z.array(
    z.object({
      starting_at: z.iso.datetime({ offset: true }),
      ending_at: z.iso.datetime({ offset: true }),
      results: z.array(
        z.object({
          amount: ReportedAmount,
          currency: ReportedCurrency,
          description: Text,
          workspace_id: Text,
          model: Text,
          token_type: Text,
          service_tier: Text,
          context_window: Text,
          inference_geo: Text,
        }),
      ),
    }),
  ),
  has_more: z.boolean(),
  next_page: z.string().nullish(),
});
type CostResult = z.infer<typeof CostReport>['data'][number]['results'][number];

const toCharge = (charge: CostResult): ReportedCharge => {
  requireUsd(charge.currency);
  return {
    BilledCost: toBilledCost(charge.amount, USD_PER_CENT),
    BillingCurrency: charge.currency,
    x_Model: charge.model,
    SkuMeter: charge.token_type ?? charge.description,
    SkuPriceId: charge.context_window,
    SubAccountId: charge.workspace_id,
    RegionId: charge.inference_geo,
    PricingCategory: tierOf(charge),
  };
};

/** The costs of an Anthropic organization, by day, workspace and description. */
export const anthropicCosts: CostApi = {
  baseUrl: 'https://api.anthropic.com',
  usage: anthropicUsage,
  pathOf: (day, page) => {
    const query = new URLSearchParams([
      ['starting_at', toIso(day)],
      ['ending_at', toIso(day + DAY_MS)],
      ['bucket_width', '1d'],
      ['group_by[]', 'workspace_id'],
      ['group_by[]', 'description'],
    ]);
    if (page !== null) query.set('page', page);
    return `/v1/organizations/cost_report?${query}`;
  },
  headersOf: (credential) => ({ 'x-api-key': credential, 'anthropic-version': '2023-06-01' }),
  // https://platform.claude.com/docs/en/api/overview#response-headers
  accountHeader: 'anthropic-organization-id',
  parsePage: (bytes) => {
    const page = CostReport.parse(parseExactJson(bytes));
    return {
      buckets: page.data.map(({ starting_at, ending_at, results }) => ({
        start: Date.parse(starting_at),
        end: Date.parse(ending_at),
        charges: results.map(toCharge),
      })),
      next: nextPage(page),
    };
  },
};
