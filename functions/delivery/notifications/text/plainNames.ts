/**
 * A word joiner. It is invisible, and dropped from every label and filter that is sent to the service, so a name that is copied
 * from a message still finds its calls.
 */
const JOINER = '\u2060';

/**
 * Where mail programs and chats make a link or a mention of plain text: after `:` of a URL, between the halves of a link in
 * Markdown, before each part of a host name that begins with a letter, as every top-level domain does, and after the `@` of a
 * mention, which some chats find within a word. Producers choose the names in a message, and its readers trust it.
 */
const BEGINS = /:(?=\/\/)|\](?=\()|(?<=[^\s.])[.。．｡](?=\p{L})|@(?=[\p{L}\p{N}])/gu;

/** Scripts that are written from right to left. They would move the figures after them. */
const FROM_RIGHT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}][\p{L}\p{M}\p{N} ]*/gu;

/** Text of a message in which names are only names: on one line, without links and mentions, each in its own direction. */
export const plainNames = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(BEGINS, (begin) => begin + JOINER)
    .replace(FROM_RIGHT, (name) => `\u2068${name}\u2069`);
