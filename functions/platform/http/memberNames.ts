import * as z from 'zod';

/** The schemas that a value can have: unions as their alternatives, without what wraps them. */
const alternativesOf = (schema: z.core.$ZodType): readonly z.core.$ZodType[] => {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf);
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out].flatMap(alternativesOf);
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(alternativesOf);
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
    ? alternativesOf(schema.unwrap())
    : [schema];
};

/** The schemas of a member of an object, or of an item of a list. */
const schemasOf = (schema: z.core.$ZodType, part: PropertyKey): readonly z.core.$ZodType[] =>
  alternativesOf(schema).flatMap((one) => {
    if (one instanceof z.ZodObject) return one.shape[String(part)] ?? [];
    if (one instanceof z.ZodArray) return one.element;
    return one instanceof z.ZodRecord ? one.valueType : [];
  });

/** The names that the members of the object at a path can have. Empty if any name can stand there. */
export const memberNames = (schema: z.core.$ZodType, path: readonly PropertyKey[]): ReadonlySet<string> => {
  const [part, ...rest] = path;
  const names =
    part === undefined
      ? alternativesOf(schema).flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []))
      : schemasOf(schema, part).flatMap((one) => [...memberNames(one, rest)]);
  return new Set(names);
};
