import fc from 'fast-check';
import { expect } from 'vitest';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { decimal } from '../../functions/platform/shared/decimal.ts';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A valid input of a converter, and fields that set a price. A number stands for a count of 1 to 1,000. */
export interface PricedSource {
  readonly name: string;
  readonly input: Json;
  /** The event of the call in an input. */
  readonly read: (input: Json) => unknown;
  readonly fields: readonly (readonly [path: string, value: number | string | boolean | object])[];
  /** Whether the names of its members have dots, as attributes do. */
  readonly isFlat?: boolean;
}

/** A copy with a value at a path. */
const withValue = (input: Json, path: string, value: unknown, isFlat: boolean): Json => {
  const [name = '', ...rest] = isFlat ? [path] : path.split('.');
  if (rest.length === 0) return { ...input, [name]: value };
  return { ...input, [name]: withValue((input[name] ?? {}) as Json, rest.join('.'), value, false) };
};

/** Expects that each of its fields changes the cost, widens its range or makes it unknown. */
export const expectShown = async (
  { input, read, fields, isFlat = false }: PricedSource,
  factors: Factors,
): Promise<void> => {
  /** Undefined: unknown. */
  const rangeOf = (event: unknown) => {
    const { cost } = assessImpact(InvocationEvent.parse(event), new Date('2026-11-01T12:00:00Z'), factors);
    return cost === null
      ? undefined
      : { central: cost.central, width: decimal(cost.high).minus(decimal(cost.low)) };
  };
  const before = rangeOf(await read(input));
  if (before === undefined) throw new Error('the cost of the valid input is unknown');

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...fields),
      fc.integer({ min: 1, max: 1_000 }),
      async ([path, value], count) => {
        const after = rangeOf(await read(withValue(input, path, value === 1 ? count : value, isFlat)));
        const isShown =
          after === undefined || after.central !== before.central || after.width.gt(before.width);

        expect({ path, isShown }).toEqual({ path, isShown: true });
      },
    ),
    { numRuns: 20 * fields.length },
  );
};
