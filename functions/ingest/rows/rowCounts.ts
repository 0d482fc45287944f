import { storeAttribute } from '../spans/attributes.ts';
import type { AttributeValue } from '../spans/telemetry.ts';
import type { Cell } from './cell.ts';
import { costsIn } from './rowCosts.ts';

/** `row.properties.gen_ai.response.id` of Application Insights, `row.span_attributes.…` of ClickHouse. */
const ATTRIBUTE = /^row\.(?:properties|custom_dimensions|(?:span_)?attributes)\.(.+\..+)$/;

const isScalar = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Columns of counts. Those of a time, a rate or a limit are none. */
const COUNT =
  /(?:^|_)(?:tokens?|token_count|searches|search_(?:calls|requests|queries|count))$|(?:^|_)tokens_(?:in|out|input|output|prompt|completion|cached|reasoning)$|^tokens_/;
const NO_COUNT = /max|limit|budget|saved|per_|first|time|price|cost/;

/** A column of the row, or of its properties, as PostHog has them. */
const OWN_COLUMN = /^row\.(?:properties\.)?[^.]+$/;

/** Where a column would be in an object of usage, so that one without a meaning is named as unread there as well. */
const usagePath = (name: string, path: string): string => {
  if (!OWN_COLUMN.test(path) || !COUNT.test(name) || NO_COUNT.test(name))
    return path.replace(/\.tokens$/, '.total_tokens');
  // Snowflake and Braintrust name the sum of all kinds `tokens`.
  return name === 'tokens' ? 'row.usage.total_tokens' : `row.usage.${name}`;
};

/** What the columns count, by the words of their names, as attributes of a span. */
export const countsIn = (columns: readonly Cell[], isByok: boolean): Map<string, AttributeValue> => {
  const attributes = new Map<string, AttributeValue>();
  const { isCharged, isCost, inUnit } = costsIn(columns);
  if (isCharged) attributes.set('gen_ai.usage.cost.source', 'provider');
  for (const [name, path, value] of columns) {
    // A gateway that does not sell the call charges a fee.
    if (isByok && isCharged && isCost(path)) continue;
    // A span in a table has its attributes in one column.
    const attribute = ATTRIBUTE.exec(path)?.[1] ?? name;
    for (const known of new Set([name, attribute, inUnit(path) ?? usagePath(name, path)])) {
      storeAttribute(attributes, known, () => (isScalar(value) ? value : undefined), { content: new Set() });
    }
  }
  return attributes;
};
