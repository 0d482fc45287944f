/** Stands for the members that a documented object leaves out. */
const OMITTED = '…';
/** Printed around the output of a block of commands. */
const MARK = '\u001E';
/** Texts whose form says what they are. The figures in them are free. */
const FORMS: Readonly<Record<string, RegExp>> = {
  amount: /^-?\d+(\.\d+)?$/,
  instant: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  day: /^\d{4}-\d\d-\d\d$/,
  identifier: /^([a-z]{3}_|[0-9a-f]{8}-)/,
};

const kindOf = (value: unknown): string => {
  if (typeof value !== 'string') return Array.isArray(value) ? 'list' : typeof value;
  return Object.entries(FORMS).find(([, form]) => form.test(value))?.[0] ?? 'text';
};

/**
 * Where an output has other members or other kinds of values than its page says. An unknown value is null on either side. The
 * first entry of a list stands for the others.
 */
export const outputFaults = (documented: unknown, printed: unknown, place = ''): readonly string[] => {
  if (documented === null || printed === null) return [];
  const [expected, found] = [kindOf(documented), kindOf(printed)];
  if (expected !== found) return [`${place || '/'} is documented as ${expected} and is ${found}`];
  if (Array.isArray(documented) && Array.isArray(printed))
    return documented.length > 0 && printed.length > 0
      ? outputFaults(documented[0], printed[0], `${place}/0`)
      : [];
  if (expected !== 'object') return [];
  const [shown, real] = [
    new Map(Object.entries(Object(documented))),
    new Map(Object.entries(Object(printed))),
  ];
  const isWhole = !shown.delete(OMITTED);
  return [
    ...[...shown].flatMap(([name, value]) =>
      real.has(name)
        ? outputFaults(value, real.get(name), `${place}/${name}`)
        : [`${place}/${name} is missing`],
    ),
    ...[...real.keys()]
      .filter((name) => isWhole && !shown.has(name))
      .map((name) => `${place}/${name} is not documented`),
  ];
};

/** A first sentence after commands that names members of their output, in backticks. */
const NAMING = /^The (?:service answers|answer has|answer contains) [^.]*\./;
const MEMBER = /`([a-z][a-z_]*)`/g;

/** An output with these members, of any value, and others. */
const naming = (sentence: string): object =>
  Object.fromEntries([...[...sentence.matchAll(MEMBER)].map(([, name]) => [name, null]), [OMITTED, OMITTED]]);

/**
 * What blocks of commands print by their page: the JSON right after them, of which the last line is compared, or the members
 * that the first sentence after them names.
 */
export const documentedOutputs = (text: string): ReadonlyMap<string, unknown> =>
  new Map(
    [
      ...text.matchAll(/^```sh\n((?:(?!^```)[\s\S])*)^```\n+(?:```json\n([\s\S]*?)^```$|(The [^.]*\.))/gm),
    ].flatMap(([, commands = '', json, sentence = '']) => {
      if (json !== undefined) return [[commands, JSON.parse(json)]];
      return NAMING.test(sentence) ? [[commands, naming(sentence)]] : [];
    }),
  );

export const marked = (commands: string): string => `printf '${MARK}'\n${commands}\nprintf '\\n${MARK}'`;

/** The output without marks, and the last line of each marked part. */
export const readMarked = (output: string): { readonly text: string; readonly last: readonly string[] } => ({
  text: output.replaceAll(MARK, ''),
  last: output
    .split(MARK)
    .filter((_, index) => index % 2 === 1)
    .map((part) => part.trim().split('\n').at(-1) ?? ''),
});
