/** The text with another last character. The result always differs, because a random id may end in any character. */
export const tamper = (text: string): string => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
