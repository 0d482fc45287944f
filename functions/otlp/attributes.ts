import { Big } from '../shared/decimal.ts';
import { names } from './attributeNames.ts';
import type { Attributes } from './telemetry.ts';

type Known = keyof typeof names;

const find = (known: Known, sources: readonly Attributes[]) => {
  for (const name of names[known]) {
    for (const source of sources) {
      const value = source.get(name);
      if (value !== undefined && value !== '') return value;
    }
  }
  return undefined;
};

/** Most characters of a label. Longer ones are cut off by the limits of the event anyway. */
const LABEL_LENGTH = 256;

/** The first value that producers send under one of the names, as text. */
export const textOf = (known: Known, ...sources: readonly Attributes[]): string | undefined => {
  const value = find(known, sources);
  if (typeof value === 'string') return value.slice(0, LABEL_LENGTH);
  return typeof value === 'number' ? String(value) : undefined;
};

/** A token count: a whole number, also if it was sent as text. */
export const countOf = (known: Known, ...sources: readonly Attributes[]): number | undefined => {
  const value = find(known, sources);
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};

/**
 * An amount of USD. OTLP has no decimals: a double is read as the shortest decimal that stands for it, which is what the
 * producer meant. At most 12 fractional digits.
 */
export const amountOf = (known: Known, ...sources: readonly Attributes[]): string | undefined => {
  const value = find(known, sources);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,17}(?:\.\d{1,40})?(?:e-\d{1,2})?$/.test(text)) return undefined;
  return Big(text).round(12).toFixed();
};

export const listOf = (known: Known, ...sources: readonly Attributes[]): readonly string[] => {
  const value = find(known, sources);
  if (typeof value === 'string') return [value];
  return typeof value === 'object' ? value : [];
};
