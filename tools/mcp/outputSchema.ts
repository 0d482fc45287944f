import * as z from 'zod';

const Node = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

const COMPONENT = '#/components/schemas/';

/** Only what the protocol needs to check a result: a definition with all members would fill the context of a model. */
const outline = (schema: unknown, schemas: Readonly<Record<string, unknown>>, depth: number): object => {
  const node = Node.parse(schema);
  if (node.$ref !== undefined) return outline(schemas[node.$ref.replace(COMPONENT, '')], schemas, depth);
  const { type, properties } = node;
  if (depth === 0 || properties === undefined) return type === undefined ? {} : { type };
  return {
    type,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, outline(member, schemas, depth - 1)]),
    ),
  };
};

const Response = z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) });
const Components = z.object({ schemas: z.record(z.string(), z.unknown()) });

/** The schema of the results of a tool: the members of the response of its route, with their types. */
export const outputSchema = (response: unknown, components: unknown): object =>
  outline(
    Response.parse(response).content['application/json'].schema,
    Components.parse(components).schemas,
    1,
  );
