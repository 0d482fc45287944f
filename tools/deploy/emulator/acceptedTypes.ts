/** What an emulator accepts, and the reason for each type that it does not. */
export interface AcceptedTypes {
  readonly accepted: ReadonlySet<string>;
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Finds the resource types that an emulator accepts. `refusal` creates resources of these types and nothing else, and
 * returns why that failed, or null. A type that is refused alone is tried again together with the types that it
 * references, once they are accepted.
 */
export const acceptedTypes = async (
  referencedTypes: ReadonlyMap<string, ReadonlySet<string>>,
  refusal: (types: ReadonlySet<string>) => Promise<string | null>,
): Promise<AcceptedTypes> => {
  const accepted = new Set<string>();
  const refused = new Map<string, string>();
  const tried = new Map<string, number>();
  for (let before = -1; before !== accepted.size; ) {
    // The first round tries each type alone.
    const isFirst = before === -1;
    before = accepted.size;
    for (const [type, referenced] of referencedTypes) {
      const present = isFirst ? [] : [...referenced].filter((one) => accepted.has(one));
      if (accepted.has(type) || tried.get(type) === present.length) continue;
      tried.set(type, present.length);
      const reason = await refusal(new Set([...present, type]));
      if (reason === null) {
        accepted.add(type);
        refused.delete(type);
      } else refused.set(type, reason);
    }
  }
  return { accepted, refused };
};
