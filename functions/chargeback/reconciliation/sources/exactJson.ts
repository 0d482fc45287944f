/**
 * Parses JSON with every number as its text, so that no amount of money passes through a floating-point number. Throws a
 * SyntaxError for bytes that are not JSON, and a TypeError for bytes that are not UTF-8.
 */
export const parseExactJson = (bytes: Uint8Array): unknown =>
  JSON.parse(
    new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    (_name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? (context?.source ?? value) : value,
  );
