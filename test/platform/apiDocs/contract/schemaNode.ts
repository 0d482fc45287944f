import * as z from 'zod';

/** The part of JSON Schema that the tests read: which values a schema accepts, and which one it shows. */
export const SchemaNode = z.object({
  $ref: z.string().optional(),
  get $defs(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof SchemaNode>> {
    return z.record(z.string(), SchemaNode).optional();
  },
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  example: z.unknown().optional(),
  get anyOf(): z.ZodOptional<z.ZodArray<typeof SchemaNode>> {
    return z.array(SchemaNode).optional();
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof SchemaNode>> {
    return z.array(SchemaNode).optional();
  },
  get allOf(): z.ZodOptional<z.ZodArray<typeof SchemaNode>> {
    return z.array(SchemaNode).optional();
  },
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof SchemaNode>> {
    return z.record(z.string(), SchemaNode).optional();
  },
  required: z.array(z.string()).optional(),
  get items(): z.ZodOptional<typeof SchemaNode> {
    return SchemaNode.optional();
  },
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  uniqueItems: z.boolean().optional(),
  get additionalProperties(): z.ZodOptional<z.ZodUnion<readonly [typeof SchemaNode, z.ZodBoolean]>> {
    return z.union([SchemaNode, z.boolean()]).optional();
  },
});
export type SchemaNode = z.infer<typeof SchemaNode>;
