/** JavaScript's bitwise operators work on 32 bits, so a larger set of states takes several words. */
const WORD_BITS = 32;
type StateSet = readonly number[];

/** A `*` is a self-loop of the state at its position. Every other token is a transition to the next state. */
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
  /** States with a `*`: any character keeps the state active. */
  readonly selfLoops: StateSet;
  /** States after a `?`. */
  readonly afterAnyCharacter: StateSet;
  /** States after each character, including those after a `?`. */
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
 * Checks that a text contains the literal parts between the wildcards, in order. This rejects nearly every text that does
 * not match, much faster than the automaton.
 */
const literalPartsFilter = (pattern: string): ((text: string) => boolean) => {
  const parts = pattern.split(/[*?]+/);
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  return (text) => {
    // The suffix first: names from one source often share a prefix.
    if (!text.endsWith(tail) || !text.startsWith(head)) return false;
    let offset = 0;
    for (const part of parts) {
      const index = text.indexOf(part, offset);
      if (index === -1) return false;
      offset = index + part.length;
    }
    return true;
  };
};

/**
 * Returns a matcher of whole texts. `*` matches any run of characters, also an empty one and also slashes. `?` matches
 * exactly one character. Everything else matches itself. The pattern is compiled to a bit-parallel automaton (Shift-And,
 * Baeza-Yates and Gonnet 1992) that reads each character once. So the time is linear for every pattern, unlike with a
 * regular expression, which a tenant could make exponentially slow.
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
    return activeStates.some((states, word) => (states & (acceptingStates[word] ?? 0)) !== 0);
  };
};
