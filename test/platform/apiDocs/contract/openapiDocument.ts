import * as z from 'zod';
import { resolveShared } from '../../../../tools/sdk/resolveShared.ts';

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['query', 'header', 'path', 'cookie']),
  required: z.boolean().optional(),
  schema: z.unknown(),
});

const Content = z.record(z.string(), z.looseObject({ schema: z.unknown() }));

/** Allowed members of an operation object (OpenAPI 3.1.1, section 4.8.10). A misspelt member fails. */
const Operation = z.strictObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(Parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content: Content }).optional(),
  deprecated: z.boolean().optional(),
  'x-limits': z.record(z.string(), z.int().positive()).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.strictObject({
      description: z.string().min(1),
      headers: z.record(z.string(), z.looseObject({ schema: z.unknown() })).optional(),
      content: Content.optional(),
    }),
  ),
});
export type Operation = z.infer<typeof Operation>;

/** A strict schema of the OpenAPI 3.1 document that the service generates, with its references to parameters, headers and responses resolved. */
const Resolved = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.looseObject({ title: z.string(), version: z.string(), license: z.object({ name: z.string() }) }),
  servers: z.array(z.object({ url: z.url() })).length(1),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), Operation),
  ),
  webhooks: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string().min(1) })),
  'x-unmatched-responses': z.record(z.string(), z.unknown()),
  components: z.strictObject({
    responses: z.record(z.string(), z.unknown()),
    parameters: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), z.unknown()),
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), z.unknown()),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
});

/** Parses a document and resolves its references to parameters, headers and responses. */
export const OpenApiDocument = z.unknown().transform(resolveShared).pipe(Resolved);
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;

/** The operation object of a route. Undefined if the document does not contain the route. */
export const operationIn = (
  document: OpenApiDocument,
  route: { readonly method: string; readonly path: string },
): Operation | undefined => {
  const operations = Object.entries(document.paths[route.path] ?? {});
  return operations.find(([method]) => method === route.method.toLowerCase())?.[1];
};
