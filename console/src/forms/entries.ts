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

/** The text entries of a form element, in the order of its fields. */
export const readForm = (form: HTMLFormElement): [string, string][] =>
  [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));

/** Fills a form with entries that were read before. */
export const fillForm = (form: HTMLFormElement, entries: readonly (readonly [string, string])[]): void => {
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type))
      element.checked = entries.some(([name, value]) => name === element.name && value === element.value);
    else if (
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
    ) {
      const entry = entries.find(([name]) => name === element.name);
      if (entry !== undefined) [, element.value] = entry;
    }
  }
};
