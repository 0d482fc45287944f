import { geminiCounts } from './geminiCounts.ts';
import { countAt, type Json, type LocalCall, objectAt, textAt, timeAt } from './localCall.ts';
import type { SessionReader } from './sessionReader.ts';

const hasTokens = (message: Json): boolean =>
  message['type'] === 'gemini' &&
  ['input', 'output', 'thoughts'].some((name) => countAt(objectAt(message, 'tokens'), name) > 0);

/** The messages of a line: itself, those of a whole session, or those that replace it. */
const messagesOf = (entry: Json): readonly Json[] =>
  [entry, ...[entry['messages'], objectAt(entry, '$set')['messages']].flatMap((list) => list ?? [])].map(
    (message) => Object(message),
  );

/**
 * Reads the chats of Gemini CLI. It appends a message again whenever tools add to it, and moves older sessions into files of the newer
 * form. An answer that the user went back behind was billed all the same.
 */
export const geminiReader: SessionReader = () => {
  const calls = new Map<string, LocalCall>();
  return {
    isRead: (text) => text.includes('"tokens"'),
    take: (entry, file) =>
      messagesOf(entry)
        .filter(hasTokens)
        .map((message) => {
          const at = timeAt(message, 'timestamp');
          if (at === undefined) return false;
          const id = textAt(message, 'id') ?? `${file} ${at}`;
          const { reasoning_tokens, ...counts } = geminiCounts(objectAt(message, 'tokens'));
          const isKnown = calls.has(id);
          calls.set(id, {
            at,
            provider: 'gcp.gemini',
            model: textAt(message, 'model') ?? 'unknown',
            counts,
            members: { reasoning_tokens },
            identity: [id],
          });
          return isKnown;
        })
        .some((repeats) => repeats),
    finish: () => [...calls.values()],
  };
};
