import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';
import type { AttributeMap, AttributeValue } from '../spans/telemetry.ts';

/** Most maps in a map that are read: `response.usage.prompt_tokens_details.cached_tokens`, and some room. */
export const BODY_DEPTH_MAXIMUM = 6;

/** Members of JSON that count tokens. The quotes of a text in JSON are escaped, so that no prompt has such a member. */
const COUNTS = /"(?:prompt|input|completion|output|total)_?tokens"\s*:\s*[1-9]/i;

const isMap = (value: unknown): value is AttributeMap => value instanceof Map;

const plainOf = (map: AttributeMap): Record<string, unknown> =>
  Object.fromEntries([...map].map(([name, value]) => [name, isMap(value) ? plainOf(value) : value]));

/**
 * The value of the body of a log record that counts tokens, as a map or as JSON. Loggers of JSON lines and the events of AutoGen
 * (https://microsoft.github.io/autogen/stable/user-guide/core-user-guide/framework/logging.html) have their counts there.
 * Undefined for any other body.
 */
export const countingBody = (
  body: AttributeValue | AttributeMap | undefined,
  items: ItemBudget,
): { readonly body?: unknown } => {
  if (isMap(body)) {
    const plain = plainOf(body);
    return COUNTS.test(JSON.stringify(plain)) ? { body: plain } : {};
  }
  if (typeof body !== 'string' || !/^\s*\{/.test(body) || !COUNTS.test(body)) return {};
  const parsed = parseContentJson(body, items);
  return parsed === null ? {} : { body: parsed.value };
};
