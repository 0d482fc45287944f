/** Words in names of owners that tell no two of them apart. */
const GENERAL_WORDS = new Set(['team', 'squad', 'group', 'dept', 'department', 'org']);
/** A shorter word is part of too many names. */
const SHORTEST_WORD = 3;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether a value, such as `search-prod-key`, contains the words of the name of an owner, such as `team-search`. */
export const containsOwnerName = (value: string, owner: string): boolean => {
  const own = wordsOf(owner).filter((word) => !GENERAL_WORDS.has(word));
  const words = new Set(wordsOf(value));
  return own.some((word) => word.length >= SHORTEST_WORD) && own.every((word) => words.has(word));
};
