import { ItemBudget } from '../../../../platform/shared/itemBudget.ts';
import { decodeText, parseContentJson } from '../../../../platform/shared/json.ts';

/** A page has up to 4 MiB. Its 16,000 charges have about 20 names and values each. */
const PAGE_ITEMS_MAXIMUM = 512 * 1_024;

const exactly = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  );

/**
 * Parses JSON with every number as its text, so that no amount of money passes through a floating-point number. Throws for
 * bytes that are not JSON in UTF-8, and PAYLOAD_TOO_LARGE for more items than a page can have.
 */
export const parseExactJson = (bytes: Uint8Array): unknown => {
  const parsed = parseContentJson(decodeText(bytes), new ItemBudget(PAGE_ITEMS_MAXIMUM), exactly);
  if (parsed === null) throw new SyntaxError('a page is not JSON');
  return parsed.value;
};
