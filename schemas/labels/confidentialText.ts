import { secretKindIn } from './secretPatterns.ts';

/** Most words of a label. Names have a few; a prompt has more. */
export const LABEL_WORDS_MAXIMUM = 12;
/** Most words of a text in which a person explains something. */
export const TEXT_WORDS_MAXIMUM = 100;
/** Most characters of scripts without spaces between words, for each permitted word. */
const CHARACTERS_PER_WORD = 4;

/** Scripts that write sentences without spaces, so that their words cannot be counted. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Whether the text has more words than a name or an explanation needs, so that it may be a prompt or an answer. */
const isTooLong = (text: string, wordsMaximum: number): boolean => {
  // Too short for one more word than permitted, as nearly all labels are.
  if (text.length <= 2 * wordsMaximum) return false;
  const words = text.split(/\s+/u).filter((word) => word !== '').length;
  if (words > wordsMaximum) return true;
  return (text.match(UNSPACED)?.length ?? 0) > wordsMaximum * CHARACTERS_PER_WORD;
};

/**
 * Why the text must not be stored: it holds a known shape of a secret, or it is as long as a prompt. Null if it may be
 * stored. The reason never quotes the text.
 */
export const confidentialReason = (text: string, wordsMaximum = LABEL_WORDS_MAXIMUM): string | null => {
  const kind = secretKindIn(text);
  if (kind !== null) return `must not contain a secret. The value looks like this kind: ${kind}`;
  return isTooLong(text, wordsMaximum) ? `must have at most ${wordsMaximum} words` : null;
};
