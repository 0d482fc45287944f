import type { UnreadCount } from '../../impact/usage/unreadUsage.ts';
import { Big } from '../../platform/shared/decimal.ts';
import type { OtherUsage } from './observedCall.ts';
import { countAt, memberAt, textAt, toAmount, unreadCounts } from './values.ts';

/**
 * Server tools of Claude in its usage. A fetch of a page has no fee.
 * https://docs.claude.com/en/docs/about-claude/pricing#tool-use-pricing
 */
const SERVER_TOOLS: ReadonlySet<string> = new Set([
  'web_search_requests',
  'web_fetch_requests',
  'code_execution_requests',
]);

/** An iteration in which another model was asked. */
const ADVICE = 'advisor_message';

const iterationsOf = (usage: unknown): readonly unknown[] => {
  const iterations = memberAt(usage, 'iterations');
  return Array.isArray(iterations) ? iterations : [];
};

/** The most iterations of a call that are read. */
const ITERATIONS_MAXIMUM = 100;

/**
 * The sum of a count over the iterations of a call of Claude: all of its model, or those that summarised the context, whose tokens
 * are billed and which the counts of the call leave out. https://platform.claude.com/docs/en/build-with-claude/compaction
 */
export const iterationTokens = (
  usage: unknown,
  name: string,
  which: 'own' | 'compaction' | typeof ADVICE,
): number =>
  iterationsOf(usage)
    .slice(0, ITERATIONS_MAXIMUM)
    .filter((one) => (which === 'own' ? memberAt(one, 'type') !== ADVICE : memberAt(one, 'type') === which))
    .reduce<number>((sum, one) => sum + (countAt(one, name) ?? countAt(one, 'cache_creation', name) ?? 0), 0);

/** All tokens of another model that was asked, which have the price of that model. */
export const adviceTokens = (usage: unknown): number =>
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'].reduce(
    (sum, name) => sum + iterationTokens(usage, name, ADVICE),
    0,
  );

/** Tools that xAI and OpenAI ran, by their usage. */
const TOOL_CALLS = 'server_side_tool_usage_details';
const READ_CALLS: ReadonlySet<string> = new Set([
  'web_search_calls',
  'x_search_calls',
  'code_interpreter_calls',
  'file_search_calls',
  // Its tool is one of the customer.
  'mcp_calls',
]);

const sumOf = (...counts: readonly (number | undefined)[]): number | undefined => {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
};

/**
 * What was charged: by xAI in ticks of 1e-10 USD (https://docs.x.ai/developers/cost-tracking), by Perplexity as an object, whose
 * sum is in USD (https://docs.perplexity.ai/api-reference).
 */
const usdOf = (usage: unknown): string | undefined => {
  const ticks = memberAt(usage, 'cost_in_usd_ticks');
  if (typeof ticks === 'number' && Number.isSafeInteger(ticks) && ticks > 0)
    return Big(String(ticks)).times('0.0000000001').toFixed();
  const sum = toAmount(memberAt(usage, 'cost', 'total_cost'));
  return sum === '0' ? undefined : sum;
};

/** Where Anthropic keeps a call, as the region of its price. */
export const areaIn = (geo = ''): string | undefined => /^(?:us|eu|global)$/.exec(geo)?.[0];

/** How many tools xAI ran, whatever they were. Its tools of the customer are not charged. */
const TOOLS_USED = 'num_server_side_tools_used';
const unnamedTools = (usage: unknown, calls: unknown): readonly UnreadCount[] => {
  const count = countAt(usage, TOOLS_USED) ?? 0;
  return count > 0 && calls === undefined ? [{ name: TOOLS_USED, count }] : [];
};

/** What sets the price of a call besides its tokens, in a `usage` as Anthropic and OpenAI return it. */
export const providerUsage = (usage: unknown) => {
  const tools = memberAt(usage, 'server_tool_use');
  const calls = memberAt(usage, TOOL_CALLS);
  const other: OtherUsage = {
    code_executions: countAt(tools, 'code_execution_requests') ?? countAt(calls, 'code_interpreter_calls'),
    file_searches: countAt(calls, 'file_search_calls'),
  };
  return {
    searches:
      countAt(tools, 'web_search_requests') ??
      sumOf(countAt(calls, 'web_search_calls'), countAt(calls, 'x_search_calls')) ??
      countAt(usage, 'num_sources_used'),
    /** What who charges for the call states that it cost. */
    usd: usdOf(usage),
    other,
    unread: [
      ...unreadCounts(tools, SERVER_TOOLS),
      ...unreadCounts(calls, READ_CALLS),
      ...unnamedTools(usage, calls),
      ...(adviceTokens(usage) === 0 ? [] : [{ name: `${ADVICE}_tokens`, count: adviceTokens(usage) }]),
    ],
    /** Fast mode is stated as a speed. */
    tier: memberAt(usage, 'speed') === 'fast' ? 'fast' : textAt(usage, 'service_tier'),
    /** Where Anthropic keeps the data: `us` or `global`. */
    area: areaIn(textAt(usage, 'inference_geo')),
  };
};

/**
 * Whether the caller pays the provider with a key of its own, so that a gateway charges only a fee, which is less than what the
 * provider charges: https://openrouter.ai/docs/use-cases/usage-accounting
 */
export const paysUpstream = (usage: unknown, charged: string | undefined): boolean => {
  const upstream = toAmount(memberAt(usage, 'cost_details', 'upstream_inference_cost'));
  return (
    memberAt(usage, 'is_byok') === true ||
    (charged !== undefined && upstream !== undefined && Big(upstream).gt(charged))
  );
};
