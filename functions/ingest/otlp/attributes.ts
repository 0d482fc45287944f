import { LITELLM_NOBODY } from '../formats/litellmUser.ts';
import { memberAt, toAmount, toCount } from '../formats/values.ts';
import {
  isContentAttribute,
  isCountName,
  isJsonObject,
  isOtherUsage,
  isReadAttribute,
  UNREAD_COUNTS,
} from './attributeKinds.ts';
import { names } from './attributeNames.ts';
import type { Attributes, AttributeValue, Skipped } from './telemetry.ts';
import { wordedCount, wordedName } from './usageWords.ts';

type Known = keyof typeof names;

/** Longest JSON text of counts that is parsed. */
const JSON_LENGTH_MAXIMUM = 8_192;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** LangSmith writes objects as Python does, with single quotes. */
const objectIn = (text: string): unknown =>
  text.length > JSON_LENGTH_MAXIMUM ? undefined : (parsed(text) ?? parsed(text.replaceAll("'", '"')));

/** Whether a value counts something: a number above 0, or a JSON object of counts. */
const isCounting = (value: AttributeValue | undefined): boolean =>
  (toCount(value) ?? 0) > 0 || (typeof value === 'string' && /^\{"\w+":\s*[1-9]/.test(value));

/** MLflow sends each attribute as JSON, so that a text has quotes. */
const unquoted = (name: string, text: string): string =>
  name.startsWith('mlflow.') ? text.replace(/^"(.*)"$/, '$1') : text;

/** Keeps a count that the words of its name tell. Of several spellings of one count, the highest: clients fill some with 0. */
const storeWorded = (attributes: Map<string, AttributeValue>, name: string, value: unknown): void => {
  const count = wordedCount(name);
  const number = count === undefined ? undefined : toCount(value);
  if (count === undefined || number === undefined) return;
  const known = toCount(attributes.get(wordedName(count))) ?? 0;
  attributes.set(wordedName(count), Math.max(known, number));
};

/** Reads the members of a JSON object under `name.member`. LangWatch wraps its objects in `value`. */
const storeObject = (attributes: Map<string, AttributeValue>, name: string, text: string): void => {
  const object = objectIn(text);
  const members = memberAt(object, 'value') ?? object;
  if (typeof members !== 'object' || members === null) return;
  for (const [member, value] of Object.entries(members)) {
    const path = `${name}.${member}`;
    storeWorded(attributes, path, value);
    if (isReadAttribute(path) && (typeof value === 'number' || typeof value === 'string')) {
      attributes.set(path, value);
    }
  }
};

/**
 * Stores an attribute that a mapping reads. The value of any other is not decoded, so that content never becomes a string;
 * only a count of usage is kept, and a token count leaves a mark that it was there.
 */
export const storeAttribute = (
  attributes: Map<string, AttributeValue>,
  name: string,
  read: () => AttributeValue | undefined,
  skipped: Skipped,
): void => {
  if (isJsonObject(name)) {
    const text = read();
    if (typeof text === 'string') storeObject(attributes, name, text);
  } else if (isReadAttribute(name)) {
    const value = read();
    // Of an attribute that is sent twice, an empty one says nothing.
    if (value === undefined || (value === '' && attributes.has(name))) return;
    storeWorded(attributes, name, value);
    attributes.set(name, typeof value === 'string' ? unquoted(name, value) : value);
  } else if (wordedCount(name) !== undefined) {
    storeWorded(attributes, name, read());
  } else if (isContentAttribute(name)) {
    skipped.content.add(name);
  } else if (isOtherUsage(name) || isCountName(name)) {
    const value = read();
    if (isOtherUsage(name) && typeof value === 'number') attributes.set(name, value);
    if (isCountName(name) && isCounting(value)) attributes.set(UNREAD_COUNTS, true);
  }
};

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

/** The texts under all names that producers use for one thing. */
export const textsUnder = (known: Known, source: Attributes): string[] =>
  names[known].flatMap((name) => {
    const value = source.get(name);
    return typeof value === 'string' && value !== '' ? [value] : [];
  });

/** Token counts under all names that producers use for one thing. */
export const countsUnder = (known: Known, source: Attributes): number[] =>
  names[known].flatMap((name) => toCount(source.get(name)) ?? []);

/** A token count: a whole number, also if it was sent as text. A 0 under one name says nothing if another has more. */
export const countOf = (known: Known, source: Attributes): number | undefined => {
  const counts = countsUnder(known, source);
  return counts.find((count) => count > 0) ?? counts[0];
};

/** An amount of USD. */
export const amountOf = (known: Known, ...sources: readonly Attributes[]): string | undefined =>
  toAmount(find(known, sources));

export const listOf = (known: Known, ...sources: readonly Attributes[]): readonly string[] => {
  const value = find(known, sources);
  if (typeof value === 'string') return [value];
  return typeof value === 'object' ? value : [];
};
