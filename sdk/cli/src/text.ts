/** Control characters and marks that change the direction of text. In a label they could rewrite what a terminal shows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text that others wrote, as it can be shown on a terminal. */
export const safeText = (text: string): string => text.replace(UNSAFE, '\ufffd');

/** A value for people: null is unknown, never zero or empty. */
export const shown = (value: string | number | null | undefined, absent = 'unknown'): string =>
  value === null || value === undefined ? absent : safeText(String(value));
