import { decimal } from '../../platform/shared/decimal.ts';
import { toAmount } from '../formats/values.ts';
import type { Cell } from './cell.ts';
import { COLUMNS } from './columns.ts';

/** What the provider charged OpenRouter, or with a key of the caller, the caller. */
const UPSTREAM = /^upstream_inference_(?:(?:prompt|completions)_)?cost$/;

/** Units of a cost, by another column that only one source has. `isCharged`: it sells the calls, unless the key is of the caller. */
const SOURCES: readonly {
  readonly mark: RegExp;
  readonly unit: 'usd' | 'usd_cents';
  readonly isCharged?: true;
}[] = [
  // https://portkey.ai/docs/product/observability/logs-export
  { mark: /^req_units$/, unit: 'usd_cents' },
  // Helicone: https://docs.helicone.ai/features/webhooks
  { mark: /^request_response_url$/, unit: 'usd' },
  // https://developers.cloudflare.com/ai-gateway/observability/costs/
  { mark: /^custom_cost$/, unit: 'usd' },
  // https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/account/ai_gateway_events/
  { mark: /^routing_decision_id$/, unit: 'usd' },
  // OpenRouter and Vercel: https://openrouter.ai/docs/api-reference/get-a-generation
  { mark: COLUMNS.byok, unit: 'usd', isCharged: true },
  // What OpenRouter answers, also where it does not say whose key it used: https://openrouter.ai/docs/use-cases/usage-accounting
  { mark: UPSTREAM, unit: 'usd', isCharged: true },
  // What Perplexity answers: https://docs.perplexity.ai/api-reference
  { mark: /^(?:input_tokens|tool_calls)_cost$/, unit: 'usd', isCharged: true },
  // LangSmith: https://docs.langchain.com/langsmith/cost-tracking
  { mark: /^ls_model_name$/, unit: 'usd' },
  // https://github.com/maximhq/bifrost framework/logstore
  { mark: /^number_of_retries$/, unit: 'usd' },
  // https://github.com/theopenco/llmgateway packages/db/src/schema.ts
  { mark: /^used_provider$/, unit: 'usd' },
  // Cursor: https://cursor.com/docs/account/teams/analytics
  { mark: /^max_mode$/, unit: 'usd' },
];
const COST = /\.(?:(?:total_)?cost|cost_total)$/;

/** Whether the caller pays the provider: then OpenRouter charges a fee, which is less than what the provider charges. */
export const paysUpstream = (columns: readonly Cell[]): boolean => {
  const amountAt = (path: RegExp) =>
    toAmount(columns.find(([, at, value]) => path.test(at) && (value ?? '') !== '')?.[2]);
  const [fee, upstream] = [amountAt(/\.cost$/), amountAt(/\.upstream_inference_cost$/)];
  return fee !== undefined && upstream !== undefined && decimal(fee).lt(decimal(upstream));
};

/** The unit of the costs in a row, if its source is known. */
export const costsIn = (columns: readonly Cell[]) => {
  const source = SOURCES.find(({ mark }) => columns.some(([name]) => mark.test(name)));
  return {
    isCharged: source?.isCharged === true,
    isCost: (path: string): boolean => COST.test(path),
    /** The path with the unit of the cost at its end; undefined for any other. */
    inUnit: (path: string): string | undefined =>
      source !== undefined && COST.test(path) ? `${path}_${source.unit}` : undefined,
  };
};

/** What nobody pays by the token, by what Cursor says of its charge. */
export const billingModeOf = (charge: string): 'subscription' | 'free' | undefined =>
  /^included/i.test(charge)
    ? 'subscription'
    : /no charge|not charged|^free/i.test(charge)
      ? 'free'
      : undefined;
