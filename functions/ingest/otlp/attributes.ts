import { LITELLM_NOBODY } from '../formats/litellm.ts';
import { toAmount, toCount } from '../formats/values.ts';
import { names } from './attributeNames.ts';
import type { Attributes } from './telemetry.ts';

type Known = keyof typeof names;

const find = (known: Known, sources: readonly Attributes[]) => {
  for (const name of names[known]) {
    for (const source of sources) {
      const value = source.get(name);
      if (value !== undefined && value !== '' && value !== LITELLM_NOBODY) return value;
    }
  }
  return undefined;
};

/** The first value that producers send under one of the names, as text. */
export const textOf = (known: Known, ...sources: readonly Attributes[]): string | undefined => {
  const value = find(known, sources);
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
};

/** A token count: a whole number, also if it was sent as text. */
export const countOf = (known: Known, ...sources: readonly Attributes[]): number | undefined =>
  toCount(find(known, sources));

/** Token counts under all names that producers use for one thing. */
export const countsUnder = (known: Known, source: Attributes): number[] =>
  names[known].flatMap((name) => toCount(source.get(name)) ?? []);

/** An amount of USD. */
export const amountOf = (known: Known, ...sources: readonly Attributes[]): string | undefined =>
  toAmount(find(known, sources));

export const listOf = (known: Known, ...sources: readonly Attributes[]): readonly string[] => {
  const value = find(known, sources);
  if (typeof value === 'string') return [value];
  return typeof value === 'object' ? value : [];
};
