/** One value of a page's state in the query string. `null` keeps it out of the URL. */
export interface Parameter<Value> {
  readonly read: (text: string | null) => Value;
  readonly write: (value: Value) => string | null;
}

export const text = (initial = ''): Parameter<string> => ({
  read: (found) => found ?? initial,
  write: (value) => (value === initial ? null : value),
});

/** One of a fixed set. Another value in the URL, such as of an older link, is the initial value. */
export const choice = <const Value extends string>(
  values: readonly Value[],
  initial: NoInfer<Value>,
): Parameter<Value> => ({
  read: (found) => values.find((value) => value === found) ?? initial,
  write: (value) => (value === initial ? null : value),
});

/** Several values in order, without repetition, separated by commas. `parse` returns undefined for an unknown one. */
export const choices = <const Value extends string>(
  parse: (part: string) => Value | undefined,
  initial: readonly NoInfer<Value>[],
  maximum: number,
): Parameter<readonly Value[]> => ({
  read: (found) => {
    const known = (found ?? '').split(',').flatMap((part) => parse(part) ?? []);
    const unique = [...new Set(known)].slice(0, maximum);
    return unique.length > 0 ? unique : initial;
  },
  write: (chosen) => (chosen.join() === initial.join() ? null : chosen.join()),
});

/** A UTC day as YYYY-MM-DD, or none. */
export const day = (): Parameter<string | null> => ({
  read: (found) => (found !== null && /^\d{4}-\d\d-\d\d$/.test(found) && isValid(found) ? found : null),
  write: (value) => value,
});

const isValid = (iso: string): boolean => {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
};

type Shape = Readonly<Record<string, unknown>>;

export interface Codec<State extends Shape> {
  readonly read: (search: string) => State;
  /** The query string without the values that are initial. Keys that the codec does not know are those of `others`. */
  readonly write: (state: State, others?: string) => string;
}

export const codec = <State extends Shape>(
  parameters: {
    readonly [Key in keyof State]: Parameter<State[Key]>;
  },
): Codec<State> => {
  const names = Object.keys(parameters) as (keyof State & string)[];
  return {
    read: (search) => {
      const found = new URLSearchParams(search);
      return Object.fromEntries(names.map((name) => [name, parameters[name].read(found.get(name))])) as State;
    },
    write: (state, others = '') => {
      const search = new URLSearchParams(others);
      for (const name of names) {
        search.delete(name);
        const value = parameters[name].write(state[name]);
        if (value !== null && value !== '') search.set(name, value);
      }
      return search.toString();
    },
  };
};
