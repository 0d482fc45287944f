/** Above this many typing errors, a suggestion is more likely wrong than right. */
const MAX_DISTANCE = 2;

/** Levenshtein distance: the least number of inserted, removed or replaced characters that turns one text into the other. */
const distanceOf = (one: string, other: string): number => {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, candidate] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (character === candidate ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
};

/** The known name that `name` is probably a misspelling of. Undefined if none is near. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const [nearest] = known
    // Without these, a long name costs time for every candidate, and none can be near.
    .filter(({ length }) => Math.abs(length - name.length) <= MAX_DISTANCE)
    .map((candidate) => ({ candidate, distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.min(MAX_DISTANCE, candidate.length / 2))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.candidate;
};

/** Shorter words, such as `id`, are in too many names to say which is meant. */
const WORD_MINIMUM = 3;

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** The only known name that has `name` as one of its words: `served_model` for `model`. Undefined if there is none, or several. */
const onlyNameWithWord = (name: string, known: readonly string[]): string | undefined => {
  if (name.length < WORD_MINIMUM) return undefined;
  const [first, second] = known.filter((candidate) => wordsOf(candidate).includes(name.toLowerCase()));
  return second === undefined ? first : undefined;
};

/**
 * The known name that was probably meant by `name`: misspelt, or shortened to one of its words. For lists of which another
 * name is an error. Where other names are valid, a shared word says nothing: use {@link nearestName}.
 */
export const probableName = (name: string, known: readonly string[]): string | undefined =>
  nearestName(name, known) ?? onlyNameWithWord(name, known);

/** What to say of a name that is none of the known ones: the one that was probably meant. Null if it is known. */
export const missingName = (
  name: string,
  known: ReadonlySet<string>,
): { readonly suggestion?: string } | null => {
  if (known.has(name)) return null;
  const suggestion = probableName(name, [...known]);
  return suggestion === undefined ? {} : { suggestion };
};
