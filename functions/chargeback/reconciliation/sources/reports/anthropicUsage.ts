import * as z from 'zod';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import { toIso } from '../../../../platform/shared/time/toIso.ts';
import { readMeter } from '../../meters/tokenMeter.ts';
import { tierOf } from './anthropicTier.ts';
import {
  nextPage,
  type ReportedBucket,
  type ReportedCharge,
  type ReportedTokens,
  type UsageApi,
} from './costReport.ts';
import { parseExactJson } from './exactJson.ts';

const Text = z.string().nullish();
const Count = z.string().regex(/^\d{1,15}$/);
/** https://platform.claude.com/docs/en/api/admin/usage_report. Numbers are text, see {@link parseExactJson}. */
const UsageReport = z.object({
  data: z.array(
    z.object({
      starting_at: z.iso.datetime({ offset: true }),
      results: z.array(
        z.object({
          uncached_input_tokens: Count,
          cache_read_input_tokens: Count.nullish(),
          cache_creation: z
            .object({
              ephemeral_1h_input_tokens: Count.nullish(),
              ephemeral_5m_input_tokens: Count.nullish(),
            })
            .nullish(),
          output_tokens: Count,
          workspace_id: Text,
          model: Text,
          service_tier: Text,
          context_window: Text,
        }),
      ),
    }),
  ),
  has_more: z.boolean(),
  next_page: z.string().nullish(),
});
type Usage = z.infer<typeof UsageReport>['data'][number]['results'][number];

/** The tokens of a row by the token types of the cost report. */
const countsOf = (usage: Usage): (readonly [tokenType: string, count: number])[] =>
  Object.entries({
    uncached_input_tokens: usage.uncached_input_tokens,
    cache_read_input_tokens: usage.cache_read_input_tokens,
    'cache_creation.ephemeral_1h_input_tokens': usage.cache_creation?.ephemeral_1h_input_tokens,
    'cache_creation.ephemeral_5m_input_tokens': usage.cache_creation?.ephemeral_5m_input_tokens,
    output_tokens: usage.output_tokens,
  }).map(([tokenType, count]) => [tokenType, Number(count ?? 0)]);

const GROUPS = ['workspace_id', 'model', 'service_tier', 'context_window'] as const;
type KeyColumns = Pick<ReportedCharge, 'x_Model' | 'SubAccountId' | 'PricingCategory' | 'SkuMeter'>;

/** What a charge and its tokens have in common. */
const keyOf = ({ x_Model, SubAccountId, PricingCategory, SkuMeter }: KeyColumns): string =>
  JSON.stringify([x_Model, SubAccountId, PricingCategory, SkuMeter].map((value) => value ?? null));

const usageColumns = (usage: Usage): KeyColumns => ({
  x_Model: usage.model,
  SubAccountId: usage.workspace_id,
  PricingCategory: tierOf(usage),
});

/** Adds the tokens of each key to its first charge of the day. A second charge, of another region, gets none of them. */
const addTokens = (
  buckets: readonly ReportedBucket[],
  usage: readonly ReportedTokens[],
): ReportedBucket[] => {
  const unused = new Map<string, number>();
  for (const { day, key, count } of usage) {
    const dayKey = JSON.stringify([day, key]);
    unused.set(dayKey, (unused.get(dayKey) ?? 0) + count);
  }
  return buckets.map((bucket) => ({
    ...bucket,
    charges: bucket.charges.map((charge) => {
      const dayKey = JSON.stringify([bucket.start, keyOf(charge)]);
      const count = unused.get(dayKey);
      const { kind } = readMeter(charge.SkuMeter ?? '');
      if (count === undefined || kind === null) return charge;
      unused.set(dayKey, 0);
      return { ...charge, tokens: { kind, count } };
    }),
  }));
};

/** The tokens of an Anthropic organization, by day, workspace, model, tier and context. The cost report has none. */
export const anthropicUsage: UsageApi = {
  pathOf: (day, page) => {
    const query = new URLSearchParams([
      ['starting_at', toIso(day)],
      ['ending_at', toIso(day + DAY_MS)],
      ['bucket_width', '1d'],
    ]);
    for (const name of GROUPS) query.append('group_by[]', name);
    if (page !== null) query.set('page', page);
    return `/v1/organizations/usage_report/messages?${query}`;
  },
  parsePage: (bytes) => {
    const page = UsageReport.parse(parseExactJson(bytes));
    return {
      tokens: page.data.flatMap(({ starting_at, results }) =>
        results.flatMap((usage) =>
          countsOf(usage).map(([SkuMeter, count]) => ({
            day: Date.parse(starting_at),
            key: keyOf({ ...usageColumns(usage), SkuMeter }),
            count,
          })),
        ),
      ),
      next: nextPage(page),
    };
  },
  addTokens,
};
