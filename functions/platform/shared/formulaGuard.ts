/**
 * Characters that make a spreadsheet read a cell as a formula (OWASP, CSV injection): `=`, `+`, `-`, `@`, tab, carriage
 * return, line feed, NUL (OWASP ASVS 1.2.10), and every character that Unicode compatibility (NFKC) maps to one of the
 * first four. A spreadsheet with a Japanese locale reads the full-width forms as formulas. U+2212 is the minus sign.
 */
export const FORMULA_START = '=+\\-@\\t\\r\\n\\0＝＋－＠﹦﹢﹣﹫⁼₌⁺₊⁻₋﬩\\u2212';

/** Characters that an importer may strip before it looks at the first one: spaces, invisible characters and quotes. */
export const IGNORED_BEFORE = `\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}"'`;

/** The first formula character of a cell, with what may precede it. Lazy: the last one would be looked for from each start. */
const FORMULA = `[${IGNORED_BEFORE}]*?[${FORMULA_START}]`;

/**
 * Where a cell can start: at the start of the text, or behind a character that a locale or an import dialog separates by.
 */
const CELL_START = '(?<=^|[,;|\\t\\r\\n])';

const FORMULA_POSITION = new RegExp(`${CELL_START}(?=${FORMULA})`, 'gu');

/**
 * Inserts an apostrophe wherever the text could start a formula. Text that already has apostrophes there gets one more, so
 * that removing one at each such position always restores the original.
 */
export const neutralizeFormula = (text: string): string => text.replace(FORMULA_POSITION, "'");

const GUARD = new RegExp(`${CELL_START}'(?=${FORMULA})`, 'gu');

/** The text that {@link neutralizeFormula} changed. Other text has no apostrophe before a formula. */
export const restoreFormula = (text: string): string => text.replace(GUARD, '');
