/** Control characters, line separators and marks that change the direction of text: they could rewrite what a terminal shows. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Text that others wrote, as it can be shown on a terminal. */
export const safeText = (text: string): string => text.replace(UNSAFE, '\ufffd');

/** The same JSON with escapes for such characters, which JSON itself allows in texts. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A value for people: null is unknown, never zero or empty. */
export const shown = (value: string | number | null | undefined, absent = 'unknown'): string =>
  value === null || value === undefined ? absent : safeText(String(value));

/** Decimals of an amount that are shown, at least; and its digits. All digits are in JSON and CSV. */
const DECIMALS = 2;
const DIGITS = 4;

/** An exact amount, rounded for people: `974.63`, `0.0065`, `0.00001235`. An amount that is not zero never becomes 0. */
export const shortAmount = (amount: string): string => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const decimals = Math.max(DECIMALS, whole === '0' ? zeros + DIGITS : DIGITS - whole.length);
  if (whole === '' || fraction.length <= decimals) return amount;
  const units = BigInt(whole + fraction.slice(0, decimals)) + (Number(fraction[decimals]) >= 5 ? 1n : 0n);
  const digits = units.toString().padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${sign}${digits.slice(0, at)}.${digits.slice(at)}`.replace(/(\.\d{2}\d*?)0+$/, '$1');
};
