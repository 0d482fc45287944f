import type { OtherUsage } from './observedCall.ts';
import { countAt, memberAt, textAt, unreadCounts } from './values.ts';

/**
 * Server tools of Claude in its usage. A fetch of a page has no fee.
 * https://docs.claude.com/en/docs/about-claude/pricing#tool-use-pricing
 */
const SERVER_TOOLS: ReadonlySet<string> = new Set([
  'web_search_requests',
  'web_fetch_requests',
  'code_execution_requests',
]);

/** What sets the price of a call besides its tokens, in a `usage` as Anthropic and OpenAI return it. */
export const providerUsage = (usage: unknown) => {
  const tools = memberAt(usage, 'server_tool_use');
  const other: OtherUsage = { code_executions: countAt(tools, 'code_execution_requests') };
  return {
    searches: countAt(tools, 'web_search_requests'),
    other,
    unread: unreadCounts(tools, SERVER_TOOLS),
    /** Fast mode is stated as a speed. */
    tier: memberAt(usage, 'speed') === 'fast' ? 'fast' : textAt(usage, 'service_tier'),
    /** Where Anthropic keeps the data: `us` or `global`. */
    area: /^(?:us|eu|global)$/.exec(textAt(usage, 'inference_geo') ?? '')?.[0],
  };
};
