import type { Api, Operation, Schema } from '../api.ts';
import { isIdentifier, toPascalCase, toSnakeCase } from './names.ts';
import { type PythonTypes, pythonTypes } from './types.ts';

const HEADER = '# Generated from the OpenAPI document by `npm run sdk`. Do not edit.';
const INDENT = '        ';

const dataOf = (schema: Schema | null, { schemas }: Api): Schema => {
  const page =
    schema?.$ref === undefined ? schema : schemas[schema.$ref.replace('#/components/schemas/', '')];
  return page?.properties?.['data']?.items ?? {};
};

/** A method of the client: its parameters, and its types as names of the module `types`. */
interface Method {
  readonly operation: Operation;
  readonly name: string;
  readonly query: string | null;
  readonly body: string | null;
  readonly result: string;
  readonly item: string | null;
}

const qualify = (type: string): string => type.replaceAll('"', '');

const methodOf = (operation: Operation, api: Api, types: PythonTypes): Method => {
  const base = toPascalCase(operation.id);
  const { query, body, result, isPaged } = operation;
  // The client itself follows cursors.
  const filters = query.filter(({ name }) => name !== 'cursor');
  const queryType =
    filters.length === 0
      ? null
      : types.addClass(
          `${base}Query`,
          filters.map(({ name, required, schema }) => ({
            name,
            required,
            type: types.typeOf(schema, `${base}${toPascalCase(name)}`),
            description: schema.description,
          })),
        );
  const named = (schema: Schema, name: string): string => {
    const type = types.typeOf(schema, name);
    if (schema.$ref !== undefined) return qualify(type);
    types.addAlias(name, type);
    return name;
  };
  return {
    operation,
    name: toSnakeCase(operation.id),
    query: queryType,
    body: body === null ? null : named(body.schema, `${base}Body`),
    result: result === null ? 'None' : named(result, `${base}Result`),
    item: isPaged ? named(dataOf(result, api), `${base}Item`) : null,
  };
};

const parametersOf = ({ operation, query, body }: Method): string[] => {
  const isQueryRequired = operation.query.some(({ required }) => required);
  return [
    ...operation.pathParameters.map((name) => `${isIdentifier(name) ? name : toSnakeCase(name)}: str`),
    ...(body === null
      ? []
      : [operation.body?.required ? `body: t.${body}` : `body: Optional[t.${body}] = None`]),
    ...(query === null ? [] : [isQueryRequired ? `query: t.${query}` : `query: Optional[t.${query}] = None`]),
    '*',
    ...(operation.takesIdempotencyKey ? ['idempotency_key: Optional[str] = None'] : []),
    'timeout: Optional[float] = None',
  ];
};

const callOf = ({ operation, query, body }: Method): string => {
  const { method, path, pathParameters, takesIdempotencyKey, isPublic } = operation;
  const filled =
    pathParameters.length === 0
      ? JSON.stringify(path)
      : `fill(${[JSON.stringify(path), ...pathParameters].join(', ')})`;
  return [
    `Request("${method}", ${filled}`,
    ...(query === null ? [] : ['query=query']),
    ...(body === null ? [] : ['body=body']),
    ...(takesIdempotencyKey ? ['idempotency_key=idempotency_key or new_key()'] : []),
    ...(isPublic ? ['is_public=True'] : []),
    'timeout=timeout)',
  ].join(', ');
};

const docstringOf = ({ operation }: Method): string => {
  const text = [operation.summary.replace(/\.?$/, '.'), operation.description].filter(
    (part) => part !== undefined,
  );
  return `${INDENT}"""${text.join(`\n\n${INDENT}`).replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""`;
};

const methodLines = (method: Method, isAsync: boolean): string => {
  const { name, result, item } = method;
  const returned = result === 'None' ? 'None' : `t.${result}`;
  const parameters = parametersOf(method).map((parameter) => `${INDENT}${parameter},`);
  const signature = (returns: string, prefix = '') => [
    `    ${prefix}def ${name}(`,
    `${INDENT}self,`,
    ...parameters,
    `    ) -> ${returns}:`,
    docstringOf(method),
  ];
  if (item !== null) {
    const pages = isAsync ? 'AsyncPages' : 'Pages';
    return [
      ...signature(`${pages}[${returned}, t.${item}]`),
      `${INDENT}return ${pages}(self._transport, ${callOf(method)})`,
    ].join('\n');
  }
  const send = `self._transport.send(${callOf(method)})`;
  return [
    ...signature(returned, isAsync ? 'async ' : ''),
    ...(returned === 'None'
      ? [`${INDENT}${isAsync ? 'await ' : ''}${send}`]
      : [`${INDENT}return cast(${returned}, ${isAsync ? 'await ' : ''}${send})`]),
  ].join('\n');
};

const classOf = (methods: readonly Method[], isAsync: boolean): string => {
  const prefix = isAsync ? 'Async' : '';
  return [
    `class ${prefix}Operations:`,
    `    """The operations of the API. Use \`${prefix}Client\`."""`,
    '',
    `    def __init__(self, transport: ${prefix}Transport) -> None:`,
    `${INDENT}self._transport = transport`,
    '',
    methods.map((method) => methodLines(method, isAsync)).join('\n\n'),
  ].join('\n');
};

/** Emits the modules `types` and `operations` of the Python package. */
export const emitPython = (api: Api): { readonly types: string; readonly operations: string } => {
  const types = pythonTypes(Object.keys(api.schemas));
  for (const [name, schema] of Object.entries(api.schemas)) types.addAlias(name, types.typeOf(schema, name));
  // The client calls the OAuth endpoints itself.
  const operations = api.operations.filter(({ body }) => !body?.isForm);
  const methods = operations.map((operation) => methodOf(operation, api, types));
  return {
    types: [
      HEADER,
      'from __future__ import annotations\n',
      'from typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n\n',
      types.definitions().join('\n\n\n'),
      '',
    ].join('\n'),
    operations: [
      HEADER,
      'from __future__ import annotations\n',
      'from typing import Optional, cast\n',
      'from . import types as t',
      'from .pages import AsyncPages, Pages',
      'from .request import Request, fill, new_key',
      'from .transport import AsyncTransport, Transport\n\n',
      classOf(methods, false),
      '\n',
      classOf(methods, true),
      '',
    ].join('\n'),
  };
};
