import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** What one item breaks of a rule, in words. Empty when it keeps the rule. */
type Rule<Item> = (item: Item) => readonly string[] | Promise<readonly string[]>;

/** Expects that every item keeps a rule. The failure lists all faults, each with the name of its item. */
export const expectNoFaults = async <Item>(
  items: Iterable<Item>,
  nameOf: (item: Item) => string,
  rule: Rule<Item>,
): Promise<void> => {
  const faults: string[] = [];
  for (const item of items) {
    for (const fault of await rule(item)) faults.push(`${nameOf(item)}: ${fault}`);
  }
  expect(faults).toEqual([]);
};

const text = (value: unknown): string =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 8, maxArrayLength: null });

/** The fault of a value that is not the expected one. */
export const unequal = (what: string, value: unknown, expected: unknown): string[] =>
  isDeepStrictEqual(value, expected) ? [] : [`${what} ${text(value)} instead of ${text(expected)}`];
