/** Text that is canonical as it is: printable ASCII without a space at an end. Nearly all labels are. */
const PLAIN = /^[\x21-\x7E]+(?: [\x21-\x7E]+)*$/;

/**
 * Characters that nobody sees: default-ignorable ones, and those that control direction, layout and annotations. Not the joiners,
 * nor the signs of numbers and verses that are drawn.
 */
const INVISIBLE =
  /[[\p{DI}\p{Bidi_C}\p{Cf}]--[\u200C\u200D\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]/gv;
/** Spaces, and the blank of Braille. */
const BLANK = /[\p{Z}\u2800]+/gu;

/** Letters and marks of scripts whose spelling uses joiners, such as Persian and Hindi (RFC 5892, appendix A.1 and A.2). */
const JOINING =
  '[[\\p{L}\\p{M}]--[\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Zyyy}\\p{scx=Zinh}]]';
/** Parts of an emoji that joiners connect. */
const EMOJI = '[\\p{ExtPict}\\p{EMod}]';
/** Joiners that change nothing for a reader. */
const IDLE_JOINERS = new RegExp(
  `(?<!${JOINING})\\u200C|\\u200C(?!${JOINING})|(?<!${JOINING}|${EMOJI})\\u200D|\\u200D(?!${JOINING}|${EMOJI})`,
  'gv',
);

/**
 * The one form in which text with equal appearance is stored and compared: NFC, without invisible characters, with single
 * spaces and none at the ends. Producers spell a name in several ways: file systems decompose letters, and copied text has
 * no-break spaces, byte order marks and marks of direction.
 */
export const canonicalText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .replace(INVISIBLE, '')
        .normalize('NFC')
        .replace(IDLE_JOINERS, '')
        .replace(BLANK, ' ')
        .replace(/^ | $/g, '')
        .normalize('NFC');
