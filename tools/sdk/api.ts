import * as z from 'zod';
import { resolveShared } from './resolveShared.ts';

/** The parts of a JSON schema that determine a type. Limits and patterns are checked by the service. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | string[] | undefined;
  readonly description?: string | undefined;
  readonly enum?: (string | number | boolean | null)[] | undefined;
  readonly const?: string | number | boolean | null | undefined;
  readonly anyOf?: Schema[] | undefined;
  readonly oneOf?: Schema[] | undefined;
  readonly allOf?: Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Record<string, Schema> | undefined;
  readonly required?: string[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
}

const Literal = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    enum: z.array(Literal).optional(),
    const: Literal.optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
    allOf: z.array(Schema).optional(),
    items: Schema.optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
  }),
);

const Content = z.record(z.string(), z.object({ schema: Schema }));
const PathItem = z.record(
  z.string(),
  z.object({
    operationId: z.string(),
    summary: z.string(),
    description: z.string().optional(),
    deprecated: z.boolean().default(false),
    security: z.array(z.unknown()).default([]),
    parameters: z
      .array(
        z.object({
          name: z.string(),
          in: z.string(),
          required: z.boolean().optional(),
          description: z.string().optional(),
          schema: Schema,
        }),
      )
      .default([]),
    requestBody: z.object({ required: z.boolean().default(false), content: Content }).optional(),
    responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
  }),
);
const Document = z.object({
  paths: z.record(z.string(), PathItem),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

/** One operation of the API that a client library offers. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
  readonly isPublic: boolean;
  readonly pathParameters: readonly string[];
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly body: {
    readonly schema: Schema;
    readonly required: boolean;
    /** A form of the OAuth endpoints, otherwise JSON. */
    readonly isForm: boolean;
  } | null;
  /** Null: the response has no body. */
  readonly result: Schema | null;
  /** Whether the result is a page with a cursor. */
  readonly isPaged: boolean;
  readonly takesIdempotencyKey: boolean;
}

export interface Api {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/x-protobuf';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const operationOf = (
  path: string,
  method: string,
  item: z.infer<typeof PathItem>[string],
): Operation | null => {
  const { operationId, summary, description, deprecated, parameters, requestBody, responses, security } =
    item;
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  // Pages and files are for browsers, and OpenTelemetry exports are sent by exporters.
  if (success === undefined || (success.content !== undefined && !(JSON_TYPE in success.content)))
    return null;
  const form = requestBody?.content[FORM_TYPE];
  const body = form ?? requestBody?.content[JSON_TYPE];
  if (requestBody !== undefined && (body === undefined || PROTOBUF_TYPE in requestBody.content)) return null;
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required = false, description: text, schema }) => ({
      name,
      required,
      schema: { ...schema, ...(text !== undefined && { description: text }) },
    }));
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    isDeprecated: deprecated,
    isPublic: security.length === 0,
    pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query,
    body:
      body === undefined
        ? null
        : { schema: body.schema, required: requestBody?.required === true, isForm: form !== undefined },
    result: success.content?.[JSON_TYPE]?.schema ?? null,
    isPaged: query.some(({ name }) => name === 'cursor'),
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
};

/** Reads the operations and schemas of an OpenAPI document. Throws a ZodError on a document of another form. */
export const readApi = (document: unknown): Api => {
  const { paths, components } = Document.parse(resolveShared(document));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => operationOf(path, method, operation) ?? []),
  );
  return { operations, schemas: components.schemas };
};
