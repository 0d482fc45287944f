/** The text with its last character exchanged, whichever it was: a random id may end in any. */
export const tamper = (text: string): string => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
