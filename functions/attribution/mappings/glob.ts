/** JavaScript's bitwise operators work on 32 bits, so a set of more places takes several words. */
const WORD_BITS = 32;
type StateSet = readonly number[];

/** A `*` belongs to the place where it stands; every other token leads from one place to the next. */
const parsePattern = (
  pattern: string,
): { readonly tokens: string[]; readonly stars: ReadonlySet<number> } => {
  const tokens: string[] = [];
  const stars = new Set<number>();
  for (const character of pattern) {
    if (character === '*') stars.add(tokens.length);
    else tokens.push(character);
  }
  return { tokens, stars };
};

interface Automaton {
  /** Where any character may follow and be stayed with: at a `*`. */
  readonly selfLoops: StateSet;
  /** Behind a `?`. */
  readonly afterAnyCharacter: StateSet;
  /** Behind each character, those behind a `?` included. */
  readonly afterCharacter: ReadonlyMap<string, StateSet>;
  readonly acceptingStates: StateSet;
}

const buildAutomaton = (pattern: string): Automaton => {
  const { tokens, stars } = parsePattern(pattern);
  const size = Math.ceil((tokens.length + 1) / WORD_BITS);
  const statesWhere = (isMember: (state: number) => boolean): StateSet => {
    const words: number[] = Array(size).fill(0);
    return words.map((_, word) => {
      let bits = 0;
      for (let bit = 0; bit < WORD_BITS; bit += 1) if (isMember(word * WORD_BITS + bit)) bits |= 1 << bit;
      return bits;
    });
  };
  const statesAfter = (token: string) =>
    statesWhere((state) => tokens[state - 1] === token || tokens[state - 1] === '?');
  return {
    selfLoops: statesWhere((state) => stars.has(state)),
    afterAnyCharacter: statesAfter('?'),
    afterCharacter: new Map(tokens.map((token) => [token, statesAfter(token)])),
    acceptingStates: statesWhere((state) => state === tokens.length),
  };
};

/**
 * Whether a text has the parts of a pattern between its wildcards, in their order: what nearly every text lacks is
 * found missing much faster than the automaton could say.
 */
const literalPartsFilter = (pattern: string): ((text: string) => boolean) => {
  const parts = pattern.split(/[*?]+/);
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  return (text) => {
    // The tail first: names of one origin begin alike.
    if (!text.endsWith(tail) || !text.startsWith(head)) return false;
    let at = 0;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return true;
  };
};

/**
 * Whether a whole text is as a pattern says: `*` any run of characters, also none and also of slashes, `?` exactly
 * one, everything else itself. The pattern becomes an automaton that is at all its places at once, one bit each
 * (Shift-And, Baeza-Yates and Gonnet 1992): each character of the text is read once and none twice, so that no
 * pattern makes a text expensive. A regular expression made of what a tenant wrote could.
 */
export const globMatcher = (pattern: string): ((text: string) => boolean) => {
  const hasParts = literalPartsFilter(pattern);
  const { selfLoops, afterAnyCharacter, afterCharacter, acceptingStates } = buildAutomaton(pattern);
  const activeStates: number[] = acceptingStates.map(() => 0);

  return (text) => {
    if (!hasParts(text)) return false;
    activeStates.fill(0);
    activeStates[0] = 1;
    for (const character of text) {
      const next = afterCharacter.get(character) ?? afterAnyCharacter;
      let carry = 0;
      let isAlive = 0;
      for (let word = 0; word < activeStates.length; word += 1) {
        const before = activeStates[word] ?? 0;
        const after = (((before << 1) | carry) & (next[word] ?? 0)) | (before & (selfLoops[word] ?? 0));
        carry = before >>> (WORD_BITS - 1);
        isAlive |= after;
        activeStates[word] = after;
      }
      if (isAlive === 0) return false;
    }
    return activeStates.some((places, word) => (places & (acceptingStates[word] ?? 0)) !== 0);
  };
};
