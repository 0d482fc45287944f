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

/** The texts of the parameters that several operations have. */
const repeatedParameters = (paths: unknown): Set<string> => {
  const seen = new Set<string>();
  const operations = Object.values<Json>(Object(paths)).flatMap((path) => Object.values<Json>(Object(path)));
  const texts = operations.flatMap(parametersOf).map((parameter) => JSON.stringify(parameter));
  return new Set(texts.filter((text) => seen.has(text) || !seen.add(text)));
};

/**
 * Moves the headers, the error responses and the repeated parameters of all operations to `components`. Without it, the
 * error responses are more than half of the document.
 */
export const shareComponents = (document: object): Json => {
  const members: Json = { ...document };
  const { responses: unmatched, ...components }: Json = Object(members['components']);
  const parameters = componentsOf('parameters');
  const headers = componentsOf('headers');
  const responses = componentsOf('responses');
  const repeated = repeatedParameters({ ...Object(members['paths']), ...Object(members['webhooks']) });

  const shareParameter = (parameter: Json): Json =>
    repeated.has(JSON.stringify(parameter))
      ? parameters.refer(String(parameter['name']), parameter)
      : parameter;
  const shareHeaders = (response: Json): Json => ({
    ...response,
    ...('headers' in response && {
      headers: mapValues(response['headers'], (header, name) => headers.refer(name, header)),
    }),
  });
  /** A success has a schema of its own. Errors are named by their status, because each operation refers to about ten. */
  const shareResponse = (response: Json, status: string): Json =>
    status < '400' ? shareHeaders(response) : responses.refer(status, shareHeaders(response));
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
