import * as z from 'zod';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import { readMeter } from '../../meters/tokenMeter.ts';
import { type BilledTokens, tokenCount } from '../../rows/billedTokens.ts';
import {
  type CostApi,
  nextPage,
  ReportedAmount,
  type ReportedCharge,
  ReportedCurrency,
  toBilledCost,
} from './costReport.ts';
import { parseExactJson } from './exactJson.ts';

const SECOND_MS = 1_000;
/**
 * A line item of a model, with its tier before and its modality after the name: `gpt-4o-2024-08-06, cached input`, `priority
 * | gpt-5.6-sol, output, long context`, `gpt-image-1 image, output`. Others name a product: `Web search tool calls`.
 */
const MODEL_LINE_ITEM = /^(?:([a-z]+) \| )?([^\s,|]+)(?: (text|audio|image|video))?, (.+)$/;
/** A line item that is only the name of a model: one word with a digit. */
const BARE_MODEL = /^[a-z][\w.-]*\d[\w.-]*$/i;

/** A quantity as JSON writes it. A large one can have a fraction of zero. */
const WHOLE = /^\d{1,15}(?:\.0+)?$/;

const Seconds = z.string().regex(/^\d{1,12}$/);
/** https://platform.openai.com/docs/api-reference/usage/costs. Numbers are text, see {@link parseExactJson}. */
const Costs = z.object({
  data: z.array(
    z.object({
      start_time: Seconds,
      end_time: Seconds,
      results: z.array(
        z.object({
          amount: z.object({ value: ReportedAmount, currency: ReportedCurrency }),
          line_item: z.string().nullish(),
          project_id: z.string().nullish(),
          organization_id: z.string().nullish(),
          quantity: z.string().nullish().catch(null),
        }),
      ),
    }),
  ),
  has_more: z.boolean(),
  next_page: z.string().nullish(),
});
type CostResult = z.infer<typeof Costs>['data'][number]['results'][number];

/**
 * The tokens of a line item. The unit of the quantity is not documented. A price is only suggested from it if it equals the
 * number of recorded tokens.
 */
const tokensOf = (
  meter: string | undefined,
  quantity: string | null | undefined,
): BilledTokens | undefined => {
  const kind = meter === undefined ? null : readMeter(meter).kind;
  if (kind === null || !WHOLE.test(quantity ?? '')) return undefined;
  const count = tokenCount(quantity ?? '');
  return count === null ? undefined : { kind, count };
};

const toCharge = ({
  amount,
  line_item,
  project_id,
  organization_id,
  quantity,
}: CostResult): ReportedCharge => {
  const [, tier, model, modality, item] = MODEL_LINE_ITEM.exec(line_item ?? '') ?? [];
  const bareModel = BARE_MODEL.exec(line_item ?? '')?.[0];
  const meter = modality === undefined || modality === 'text' ? item : `${modality} ${item}`;
  return {
    BilledCost: toBilledCost(amount.value),
    BillingCurrency: amount.currency,
    BillingAccountId: organization_id,
    x_Model: model ?? bareModel,
    // Other line items name a product.
    SkuMeter: meter ?? (bareModel === undefined ? line_item : undefined),
    SubAccountId: project_id,
    PricingCategory: tier,
    tokens: tokensOf(meter, quantity),
  };
};

/** The costs of an OpenAI organization, by day, line item and project. */
export const openaiCosts: CostApi = {
  baseUrl: 'https://api.openai.com',
  pathOf: (day, page) => {
    const query = new URLSearchParams([
      ['start_time', String(day / SECOND_MS)],
      ['end_time', String((day + DAY_MS) / SECOND_MS)],
      ['bucket_width', '1d'],
      ['group_by', 'line_item'],
      ['group_by', 'project_id'],
    ]);
    if (page !== null) query.set('page', page);
    return `/v1/organization/costs?${query}`;
  },
  headersOf: (credential) => ({ authorization: `Bearer ${credential}` }),
  accountHeader: 'openai-organization',
  parsePage: (bytes) => {
    const page = Costs.parse(parseExactJson(bytes));
    return {
      buckets: page.data.map(({ start_time, end_time, results }) => ({
        start: Number(start_time) * SECOND_MS,
        end: Number(end_time) * SECOND_MS,
        charges: results.map(toCharge),
      })),
      next: nextPage(page),
    };
  },
};
