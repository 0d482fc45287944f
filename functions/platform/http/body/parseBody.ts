import type * as z from 'zod';
import { memberAt } from '../../shared/memberAt.ts';
import { expandUnion, WITH_INPUT } from '../inputErrors.ts';

type Path = readonly string[];

/** The value without the members at these paths. Items of an array keep their places. */
const without = (value: unknown, paths: readonly Path[]): unknown => {
  if (typeof value !== 'object' || value === null || paths.length === 0) return value;
  const below = (name: string): Path[] =>
    paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return value.map((item, index) => without(item, below(String(index))));
  const kept = Object.entries(value).filter(([name]) => below(name).every(({ length }) => length > 0));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, below(name))]));
};

/**
 * Parses a JSON body in which null stands for no value: most serialisers write it for a member that is not set, and the JSON
 * event format of CloudEvents demands it. A null that the schema accepts keeps its meaning.
 */
export const parseBody = <Parsed>(schema: z.ZodType<Parsed>, body: unknown): z.ZodSafeParseResult<Parsed> => {
  const asSent = schema.safeParse(body, WITH_INPUT);
  if (asSent.success) return asSent;
  const nulls = asSent.error.issues
    .flatMap(expandUnion)
    .map(({ path }) => path.map(String))
    .filter((path) => path.length > 0 && memberAt(body, ...path) === null);
  return nulls.length === 0 ? asSent : schema.safeParse(without(body, nulls), WITH_INPUT);
};
