/** Typographic forms of one sign, which keyboards and word processors exchange. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\p{Pd}/gu, '-'],
  [/[\u2018-\u201B\u2032\u02BC\u02B9\u0060\u00B4]/gu, "'"],
  [/[\u201C-\u201F\u2033\u00AB\u00BB\u2039\u203A]/gu, '"'],
];

const withPlainSigns = (name: string): string =>
  SIGNS.reduce((text, [sign, plain]) => text.replace(sign, plain), name);

/**
 * The form in which names that read alike are equal: compatible forms, cases, dashes and quotes are one, and invisible characters
 * are none (UTS 46, UAX 31).
 */
export const foldName = (name: string): string =>
  withPlainSigns(
    name
      .normalize('NFKC')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\u{16FE4}\u{1D159}]/gu, ''),
  )
    .replace(/[\s\u2800]+/gu, ' ')
    .trim()
    // Upper case first, so that letters with one capital, such as "ß" and "ss", become one.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
