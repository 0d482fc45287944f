import * as z from 'zod';
import { buildOpenapi } from '../../functions/platform/apiDocs/contract/openapi.ts';
import { probableName } from '../../functions/platform/shared/nearestName.ts';
import { routes } from '../../schemas/routes/index.ts';
import { didYouMean } from '../../sdk/shared/didYouMean.ts';
import type { Request } from '../../sdk/typescript/src/client.ts';
import { resolveShared } from '../sdk/resolveShared.ts';
import { type InputSchema, inputSchema, parametersByArgument } from './inputSchema.ts';
import { outputSchema } from './outputSchema.ts';

/** The operations that agents can call. All of them only read. Few, because each tool takes room in a model's context. */
export const READ_OPERATIONS = [
  'getCaller',
  'getUsageReport',
  'getChangesReport',
  'getUnownedReport',
  'listAttribution',
  'getAttribution',
  'lookUpAttribution',
  'listBudgets',
  'listAnomalies',
  'getCoverage',
] as const;

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        summary: z.string().default(''),
        description: z.string().default(''),
        parameters: z.array(z.unknown()).default([]),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
  components: z.unknown(),
});

/** The arguments do not fit the tool. The message says why. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly outputSchema: object;
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false };
}

export interface ReadTool {
  readonly tool: Tool;
  /** The request for these arguments. Throws ArgumentError. */
  readonly requestOf: (given: Readonly<Record<string, unknown>>) => Request;
}

/** `getUsageReport` as `get_usage_report`, as most servers name tools. */
const toolName = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const unknownArgument = (name: string, known: readonly string[]): string =>
  `The tool does not know the argument ${name}.${didYouMean(probableName(name, known))} It knows: ${known.join(', ') || 'none'}.`;

const toolOf = (
  path: string,
  operation: z.infer<typeof Document>['paths'][string][string],
  components: unknown,
): ReadTool => {
  const { operationId, summary, description } = operation;
  const parameters = parametersByArgument(operation.parameters);
  const schema = inputSchema(parameters, components);

  const requestOf: ReadTool['requestOf'] = (given) => {
    const unknown = Object.keys(given).find((name) => !parameters.has(name));
    if (unknown !== undefined) throw new ArgumentError(unknownArgument(unknown, [...parameters.keys()]));
    const missing = schema.required.find((name) => (given[name] ?? '') === '');
    if (missing !== undefined) throw new ArgumentError(`The argument ${missing} is missing.`);
    let filled = path;
    const query: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(given)) {
      const parameter = parameters.get(name);
      if (parameter === undefined || value === null || value === undefined) continue;
      if (typeof value === 'object' && !Array.isArray(value)) {
        throw new ArgumentError(`The argument ${name} must be a text, a number or a boolean.`);
      }
      const text = String(value);
      if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(text));
      // The client repeats the parameter for a list, and the service refuses it where one value is expected.
      else query[parameter.name] = Array.isArray(value) ? value.map(String) : text;
    }
    return { method: 'GET', path: filled, query };
  };

  return {
    tool: {
      name: toolName(operationId),
      title: summary,
      description: description === '' ? `${summary}.` : description,
      inputSchema: schema,
      outputSchema: outputSchema(operation.responses['200'], components),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    requestOf,
  };
};

const buildTools = (): ReadonlyMap<string, ReadTool> => {
  const { paths, components } = Document.parse(
    resolveShared(buildOpenapi(routes, 'https://api.example.com')),
  );
  const tools = Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : [{ id: get.operationId, make: () => toolOf(path, get, components) }],
  );
  return new Map(
    READ_OPERATIONS.map((operation) => {
      const found = tools.find(({ id }) => id === operation);
      if (found === undefined) throw new Error(`No route reads with the operation ${operation}`);
      const tool = found.make();
      return [tool.tool.name, tool];
    }),
  );
};

let built: ReadonlyMap<string, ReadTool> | undefined;

/** The tools by name, derived from the routes: a new filter of a route is an argument of its tool. Built once, in 0.2 s. */
export const readTools = (): ReadonlyMap<string, ReadTool> => {
  built ??= buildTools();
  return built;
};
