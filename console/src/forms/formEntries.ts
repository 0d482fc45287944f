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
