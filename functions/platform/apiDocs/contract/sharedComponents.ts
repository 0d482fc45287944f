type Json = Readonly<Record<string, unknown>>;

/** Collects equal objects of one kind under one name each. */
const componentsOf = (kind: string) => {
  const names = new Map<string, string>();
  const components: Record<string, unknown> = {};
  /** The reference to the component that equals `value`. Adds it if it is new. */
  const refer = (wanted: string, value: unknown): Json => {
    const text = JSON.stringify(value);
    let name = names.get(text);
    if (name === undefined) {
      name = wanted;
      for (let number = 2; name in components; number += 1) name = `${wanted}-${number}`;
      names.set(text, name);
      components[name] = value;
    }
    return { $ref: `#/components/${kind}/${name}` };
  };
  return { components, refer };
};

const mapValues = (object: unknown, change: (value: Json, name: string) => unknown): Json =>
  Object.fromEntries(
    Object.entries<Json>(Object(object)).map(([name, value]) => [name, change(value, name)]),
  );

const parametersOf = ({ parameters }: Json): Json[] => (Array.isArray(parameters) ? parameters : []);

/** Names of components have no brackets: `owner[eq]` is `owner.eq`. */
const componentName = (parameter: string): string => parameter.replaceAll('[', '.').replaceAll(']', '');

/** The description of a parameter is also that of its schema. */
const describedOnce = (parameter: Json): Json => {
  const { description, ...schema }: Json = Object(parameter['schema']);
  return description !== undefined && description === parameter['description']
    ? { ...parameter, schema }
    : parameter;
};

/** The texts of the parameters and responses that several operations have. */
const repeatedParts = (operations: readonly Json[]): Set<string> => {
  const seen = new Set<string>();
  const texts = operations
    .flatMap((operation) => [
      ...parametersOf(operation),
      ...Object.values<Json>(Object(operation['responses'])),
    ])
    .map((part) => JSON.stringify(part));
  return new Set(texts.filter((text) => seen.has(text) || !seen.add(text)));
};

const operationsIn = (paths: unknown): Json[] =>
  Object.values<Json>(Object(paths)).flatMap((path) => Object.values<Json>(Object(path)));

/**
 * Moves the headers, the error responses, and the parameters and responses that repeat, to `components`. Without it, the
 * error responses are more than half of the document.
 */
export const shareComponents = (document: object): Json => {
  const members: Json = { ...document };
  const { responses: unmatched, ...components }: Json = Object(members['components']);
  const parameters = componentsOf('parameters');
  const headers = componentsOf('headers');
  const responses = componentsOf('responses');
  const repeated = repeatedParts([...operationsIn(members['paths']), ...operationsIn(members['webhooks'])]);
  const isRepeated = (part: Json): boolean => repeated.has(JSON.stringify(part));

  const shareParameter = (parameter: Json): Json => {
    const described = describedOnce(parameter);
    return isRepeated(parameter)
      ? parameters.refer(componentName(String(parameter['name'])), described)
      : described;
  };
  const shareHeaders = (response: Json): Json => ({
    ...response,
    ...('headers' in response && {
      headers: mapValues(response['headers'], (header, name) => headers.refer(name, header)),
    }),
  });
  /** Most successes have a schema of their own. Others are named by their status: each operation refers to about ten. */
  const shareResponse = (response: Json, status: string): Json =>
    status < '400' && !isRepeated(response)
      ? shareHeaders(response)
      : responses.refer(status, shareHeaders(response));
  const shareOperation = (operation: Json): Json => ({
    ...operation,
    ...('parameters' in operation && { parameters: parametersOf(operation).map(shareParameter) }),
    responses: mapValues(operation['responses'], shareResponse),
  });
  const shareAll = (paths: unknown): Json => mapValues(paths, (path) => mapValues(path, shareOperation));

  return {
    ...members,
    paths: shareAll(members['paths']),
    webhooks: shareAll(members['webhooks']),
    // No operation has these responses, so linters would report them as unused components.
    'x-unmatched-responses': unmatched,
    components: {
      ...components,
      parameters: parameters.components,
      headers: headers.components,
      responses: responses.components,
    },
  };
};
