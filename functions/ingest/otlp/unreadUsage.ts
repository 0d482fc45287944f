import { confidentialReason } from '../../../schemas/labels/confidentialText.ts';
import { printableText } from '../../../schemas/values.ts';

/** Telemetry with token counts or a cost that made no record, by the instrumentation scope that sent it. */
export type UnreadUsage = ReadonlyMap<string, number>;

const SCOPE_LENGTH = 64;
const SCOPES_MAXIMUM = 20;
const OTHER_SCOPES = '(other)';

/** Producers choose the name of a scope, so it is shown only if it can be a label. */
const nameOf = (scope: string): string => {
  const name = printableText(scope.slice(0, SCOPE_LENGTH));
  return name === '' || confidentialReason(scope.slice(0, SCOPE_LENGTH)) !== null ? '(unnamed)' : name;
};

/** Counts by scope, at most 20 of them. */
export const countByScope = (scopes: Iterable<string>): UnreadUsage => {
  const counts = new Map<string, number>();
  for (const scope of scopes) {
    const name = nameOf(scope);
    const key = counts.has(name) || counts.size < SCOPES_MAXIMUM ? name : OTHER_SCOPES;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** How a producer can make such telemetry readable. */
const UNREAD_USAGE_HINT =
  'Set gen_ai.request.model, gen_ai.usage.input_tokens and gen_ai.usage.output_tokens on the span or event of each model call, or use a producer of docs/guides/producers.md';

/** Codex states the sum of a turn in its spans, and its calls in its log events. */
const CODEX = /^codex(?:_|$)/;
const CODEX_HINT =
  'These spans have the sum of a turn. If Codex sends its log events too ([otel] exporter in its config.toml), every call is recorded, and nothing is missing';

/** How telemetry of a scope can be made readable, or why it need not be. */
export const unreadUsageHint = (scope: string): string =>
  CODEX.test(scope) ? CODEX_HINT : UNREAD_USAGE_HINT;

/** What the producer is told. */
export const describeUnread = (unread: UnreadUsage, items: string): string[] =>
  [...unread]
    .slice(0, 3)
    .map(
      ([scope, count]) =>
        `${count} ${items} of scope ${scope} name a model, token counts or a cost and made no record. ${unreadUsageHint(scope)}`,
    );
