/** `prompt_tokens`, `inputTokens`, `totalTokenCount`, and `tokensIn` of Cline and Roo Code. */
const COUNT =
  /(?:prompt|input|completion|output|candidates|total)_?tokens?(?:_?count)?$|^tokens_?(?:in|out)(?:put)?$/i;
/** They have them in JSON in a text too. */
const COUNT_IN_JSON = /"tokens(?:In|Out)":[1-9]/;
/** Most values of an entry that are searched. */
const VALUES_MAXIMUM = 10_000;

/** Whether an entry of an unknown format counts tokens somewhere, so that calls may be missing. */
export const countsTokens = (entry: unknown): boolean => {
  const rest: unknown[] = [entry];
  for (let searched = 0; rest.length > 0 && searched < VALUES_MAXIMUM; searched += 1) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'number' && member > 0 && COUNT.test(name)) return true;
      if (typeof member === 'string' && member.startsWith('{') && COUNT_IN_JSON.test(member)) return true;
      if (typeof member === 'object' && rest.length < VALUES_MAXIMUM) rest.push(member);
    }
  }
  return false;
};

/** What the sender of such an entry is told. */
export const UNKNOWN_ENTRY =
  'An entry with token counts was skipped, because its format is not known: send one row a call with a timestamp, a model and its counts';
