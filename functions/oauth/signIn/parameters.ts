/** The parameters of a request that a browser carries, read strictly. */
export interface Parameters {
  /** Undefined for one that was sent without a value too (RFC 6749 §3.1). */
  readonly get: (name: string) => string | undefined;
  /** Names sent more than once: readers disagree on which one counts, so none does. */
  readonly repeated: ReadonlySet<string>;
}

export const readParameters = (rawQuery: string): Parameters => {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    if (values.has(name)) repeated.add(name);
    values.set(name, value);
  }
  return { get: (name) => (repeated.has(name) ? undefined : values.get(name) || undefined), repeated };
};
