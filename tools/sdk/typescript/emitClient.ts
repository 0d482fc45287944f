import type { Api, Operation } from '../api.ts';
import { declarationOf, typeOf } from './emitSchema.ts';

const HEADER = '// Written by `npm run sdk` from the OpenAPI document. Do not edit.\n\n';

const mark = (isRequired: boolean): string => (isRequired ? '' : '?');

/** The parameter that holds the query, as an object type. */
const queryOf = ({ query }: Operation): string[] => {
  if (query.length === 0) return [];
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  return [`query${mark(required.length > 0)}: ${typeOf({ type: 'object', required, properties })}`];
};

/** `export const getThing = (client, id, body, query, options) => …`. */
const functionOf = (operation: Operation): string => {
  const { id, method, path, summary, isDeprecated, pathParameters, query, body, result, isPaged } = operation;
  const parameters = [
    'client: Client',
    ...pathParameters.map((name) => `${name}: string`),
    ...(body === null ? [] : [`body${mark(body.required)}: ${typeOf(body.schema)}`]),
    ...queryOf(operation),
    'options?: CallOptions',
  ];
  const template = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`);
  const request = [
    `method: '${method}'`,
    `path: ${pathParameters.length > 0 ? `\`${template}\`` : `'${path}'`}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(body === null ? [] : ['body']),
    ...(body?.isForm ? ['form: true'] : []),
  ];
  const type = result === null ? 'void' : typeOf(result);
  const marks = isDeprecated ? ' @deprecated' : '';
  return `/** ${summary}.${marks} */\nexport const ${id} = (${parameters.join(', ')}): ${isPaged ? `Collection<${type}>` : `Promise<${type}>`} => ${isPaged ? 'collect' : 'send'}(client, { ${request.join(', ')} }, options);\n`;
};

/** The TypeScript sources that follow from the API, by file name. Unformatted. */
export const emitClient = ({
  operations: all,
  schemas,
}: Api): Readonly<Record<'types.ts' | 'operations.ts', string>> => {
  const operations = all.map(functionOf).join('\n');
  const code = operations.replaceAll(/\/\*\*.*?\*\//gs, '');
  const used = Object.keys(schemas).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const types = Object.entries(schemas).map(([name, schema]) => declarationOf(name, schema));
  return {
    'types.ts': HEADER + types.join('\n'),
    'operations.ts': `${HEADER}import { type CallOptions, type Client, send } from './client.ts';\nimport { type Collection, collect } from './pages.ts';\nimport type { ${used.join(', ')} } from './types.ts';\n\n${operations}`,
  };
};
