/** The entries of a submitted form, by the names of its fields. */
export interface Entries {
  /** Trimmed text. Empty if the field was left empty. */
  readonly text: (name: string) => string;
  readonly all: (name: string) => readonly string[];
  /** A member for a request body, or none if the field was left empty. */
  readonly optional: <Name extends string>(name: Name) => { readonly [Key in Name]?: string };
}

export const entriesOf = (list: readonly (readonly [string, string])[]): Entries => {
  const text = (name: string): string => list.find(([own]) => own === name)?.[1].trim() ?? '';
  return {
    text,
    all: (name) => list.filter(([own]) => own === name).map(([, value]) => value),
    optional: <Name extends string>(name: Name) => {
      const value = text(name);
      return (value === '' ? {} : { [name]: value }) as { readonly [Key in Name]?: string };
    },
  };
};
