/** A filter that applies. */
export interface Chip {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

/** What a list or a report can be filtered by. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** The values that are known, the most likely first. */
  readonly values: readonly FilterValue[];
  /** Whether any other text is a value too. */
  readonly takesText: boolean;
}

export interface FilterValue {
  readonly value: string;
  readonly text: string;
}

/** A field with the value that it can have. */
export interface Suggestion extends FilterValue {
  readonly name: string;
  readonly label: string;
}

/** As many as a list shows without scrolling. */
const SHOWN = 9;

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part);

/** `owner: ads` asks for values of one field, and `ads` for those of all. */
const splitQuery = (fields: readonly FilterField[], query: string) => {
  const [name = '', ...rest] = query.split(':');
  const named = name.trim().toLowerCase();
  const chosen =
    rest.length === 0 || named === '' ? [] : fields.filter(({ label }) => includes(label, named));
  return chosen.length === 0
    ? { chosen: fields, text: query.trim() }
    : { chosen, text: rest.join(':').trim() };
};

/** Takes from each list in turn, so that no field hides the others. */
const inTurn = <Item>(lists: readonly (readonly Item[])[], maximum: number): Item[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1)))
    .flat()
    .slice(0, maximum);
};

/** What can be chosen for a text that is typed. Values that begin with it come first, and free text last. */
export const suggestionsFor = (fields: readonly FilterField[], query: string): readonly Suggestion[] => {
  const { chosen, text } = splitQuery(fields, query);
  const typed = text.toLowerCase();
  const known = chosen.map(({ name, label, values }) =>
    values
      .filter((value) => includes(value.text, typed) || (typed !== '' && includes(label, typed)))
      .toSorted(
        (one, other) =>
          Number(other.text.toLowerCase().startsWith(typed)) -
          Number(one.text.toLowerCase().startsWith(typed)),
      )
      .map((value) => ({ name, label, ...value })),
  );
  const free =
    text === ''
      ? []
      : chosen
          .filter(({ takesText, values }) => takesText && values.every(({ value }) => value !== text))
          .map(({ name, label }) => ({ name, label, value: text, text }));
  const kept = Math.max(SHOWN - free.length, Math.ceil(SHOWN / 2));
  // Fields of which a value begins with the text come before the others.
  const ordered = known.toSorted(
    (one, other) =>
      Number(other[0]?.text.toLowerCase().startsWith(typed) ?? false) -
      Number(one[0]?.text.toLowerCase().startsWith(typed) ?? false),
  );
  return [...inTurn(ordered, kept), ...free].slice(0, SHOWN);
};
