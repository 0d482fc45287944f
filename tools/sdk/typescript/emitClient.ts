import { declarationOf, typeOf } from './emitSchema.ts';

type Json = Readonly<Record<string, unknown>>;

const HEADER = '// Written by `npm run sdk` from the OpenAPI document. Do not edit.\n\n';

const followed = (value: unknown, document: Json): Json => {
  const { $ref } = Object(value);
  if (typeof $ref !== 'string') return Object(value);
  const names = $ref.split('/').slice(1);
  return Object(names.reduce<unknown>((inside, name) => Object(inside)[name], document));
};

const schemaIn = (content: unknown): Json | undefined => {
  const [media] = Object.values<Json>(Object(content));
  return media === undefined ? undefined : Object(media['schema']);
};

/** `export const getThing = (client, id, body, query, options) => …`. Empty for a route that only redirects. */
const functionOf = (path: string, method: string, operation: Json, document: Json): string => {
  const success = Object.entries(Object(operation['responses'])).find(([status]) => status < '300');
  if (success === undefined) return '';
  const answer = schemaIn(followed(success[1], document)['content']);
  const body = Object(operation['requestBody']);
  const bodySchema = schemaIn(body['content']);
  const isForm = 'application/x-www-form-urlencoded' in Object(body['content']);
  const all = Array.isArray(operation['parameters'])
    ? operation['parameters'].map((parameter) => followed(parameter, document))
    : [];
  const inPath = all.filter((parameter) => parameter['in'] === 'path').map(({ name }) => String(name));
  const query = all.filter((parameter) => parameter['in'] === 'query');
  const querySchema = {
    type: 'object',
    required: query.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [
        name,
        { ...Object(schema), ...(description !== undefined && { description }) },
      ]),
    ),
  };
  const mark = (isRequired: boolean): string => (isRequired ? '' : '?');
  const parameters = [
    'client: Client',
    ...inPath.map((name) => `${name}: string`),
    ...(bodySchema ? [`body${mark(body['required'] === true)}: ${typeOf(bodySchema)}`] : []),
    ...(query.length > 0 ? [`query${mark(querySchema.required.length > 0)}: ${typeOf(querySchema)}`] : []),
    'options?: CallOptions',
  ];
  const template = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`);
  const request = [
    `method: '${method.toUpperCase()}'`,
    `path: ${inPath.length > 0 ? `\`${template}\`` : `'${path}'`}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(bodySchema ? ['body'] : []),
    ...(isForm ? ['form: true'] : []),
  ];
  const { data, page } = Object(followed(answer, document)['properties']);
  const call = data !== undefined && page !== undefined ? 'collect' : 'send';
  const type = answer === undefined ? 'void' : typeOf(answer);
  const result = call === 'collect' ? `Collection<${type}>` : `Promise<${type}>`;
  const marks = operation['deprecated'] === true ? ' @deprecated' : '';
  return `/** ${operation['summary']}.${marks} */\nexport const ${operation['operationId']} = (${parameters.join(', ')}): ${result} => ${call}(client, { ${request.join(', ')} }, options);\n`;
};

/** The TypeScript sources that follow from an OpenAPI document, by file name. Unformatted. */
export const emitClient = (document: Json): Readonly<Record<'types.ts' | 'operations.ts', string>> => {
  const schemas = Object.entries<Json>(Object(Object(document['components'])['schemas']));
  const functions = Object.entries(Object(document['paths'])).flatMap(([path, methods]) =>
    Object.entries<Json>(Object(methods)).map(([method, one]) => functionOf(path, method, one, document)),
  );
  const operations = functions.filter((text) => text !== '').join('\n');
  const code = operations.replaceAll(/\/\*\*.*?\*\//gs, '');
  const used = schemas.map(([name]) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return {
    'types.ts': HEADER + schemas.map(([name, schema]) => declarationOf(name, schema)).join('\n'),
    'operations.ts': `${HEADER}import { type CallOptions, type Client, send } from './client.ts';\nimport { type Collection, collect } from './pages.ts';\nimport type { ${used.join(', ')} } from './types.ts';\n\n${operations}`,
  };
};
