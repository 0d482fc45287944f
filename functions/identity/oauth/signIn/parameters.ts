/** The query parameters of a request that passes through a browser. */
export interface Parameters {
  /** Undefined if the parameter is missing, empty (RFC 6749 §3.1) or repeated. */
  readonly get: (name: string) => string | undefined;
  /** Names sent more than once. Parsers disagree on which one counts, so none is used. */
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
