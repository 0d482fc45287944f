import { isAbsent } from '../../../schemas/labels/absentText.ts';
import { Big } from '../../platform/shared/decimal.ts';
import { listedCounts } from '../formats/listedCounts.ts';
import { LITELLM_NOBODY } from '../formats/litellmUser.ts';
import { memberAt, textAt, toAmount, toCount } from '../formats/values.ts';
import { nameUse, UNREAD_COUNTS } from './attributeKinds.ts';
import { names } from './attributeNames.ts';
import {
  type AttributeMap,
  type Attributes,
  type AttributeValue,
  MAP_DEPTH_MAXIMUM,
  type Skipped,
} from './telemetry.ts';
import { isInSeconds } from './usageWords.ts';

type Known = keyof typeof names;

/** Longest JSON text of counts that is parsed. Gemini has what it cites beside its counts, in tens of kilobytes. */
const JSON_LENGTH_MAXIMUM = 131_072;

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

/** A model in an object of settings, as JSON. */
const MODEL = /(?:^|[._])model(?:[._]?name)?$/i;
const modelIn = (name: string, text: string): string => {
  if (!text.startsWith('{') || !MODEL.test(name)) return text;
  const object = objectIn(text);
  return (
    ['model', 'model_name', 'name', 'id', 'modelID'].flatMap((member) => textAt(object, member) ?? [])[0] ??
    ''
  );
};

/** MLflow sends each attribute as JSON, so that a text has quotes. */
export const unquoted = (name: string, text: string): string =>
  name.startsWith('mlflow.') ? text.replace(/^"(.*)"$/, '$1') : text;

/** Keeps a count under a name. Of several spellings of one count, the highest: clients fill some with 0. */
const storeCount = (attributes: Map<string, AttributeValue>, name: string, value: unknown): void => {
  const count = toCount(isInSeconds(name) && typeof value === 'number' ? Math.ceil(value) : value);
  if (count === undefined) return;
  attributes.set(name, Math.max(toCount(attributes.get(name)) ?? 0, count));
};

const inDollars = (value: AttributeValue, part: string): string => {
  const amount = toAmount(value);
  return amount === undefined ? '' : Big(amount).times(part).toFixed();
};

const isMap = (value: AttributeValue | AttributeMap): value is AttributeMap => value instanceof Map;

/** `name`: of the object. */
const membersOf = (name: string, object: unknown): Iterable<readonly [string, unknown]> => {
  if (Array.isArray(object)) return listedCounts(name, object);
  const members = memberAt(object, 'value') ?? object;
  if (members instanceof Map) return members;
  return typeof members === 'object' && members !== null ? Object.entries(members) : [];
};

/** Reads the members of a map or a JSON object under `name.member`. LangWatch wraps its objects in `value`. */
const storeMembers = (
  attributes: Map<string, AttributeValue>,
  name: string,
  object: unknown,
  depth: number,
): void => {
  for (const [member, value] of membersOf(name, object)) {
    const path = `${name}.${member}`;
    if (typeof value === 'object' && depth < MAP_DEPTH_MAXIMUM) {
      storeMembers(attributes, path, value, depth + 1);
    } else if (typeof value === 'number' || typeof value === 'string') {
      storeValue(attributes, path, value);
    }
  }
};

/** The item of a list of one: clients of several languages send a single value so. */
const withoutList = (value: AttributeValue): AttributeValue =>
  typeof value === 'object' && value.length === 1 ? (value[0] ?? value) : value;

/** Stores a value under the names by which mappings read it. */
const storeValue = (attributes: Map<string, AttributeValue>, name: string, sent: AttributeValue): void => {
  const value = withoutList(sent);
  const { kind, count, stated, part, isCharge, isUnreadUsage, isAmount } = nameUse(name);
  if (count !== undefined) storeCount(attributes, count, value);
  if (stated !== undefined && value !== '' && !attributes.has(stated)) {
    attributes.set(stated, part === undefined ? value : inDollars(value, part));
    if (isCharge && toAmount(value) !== '0') attributes.set(names.costSource[0], 'provider');
  }
  // Of an attribute that is sent twice, an empty one says nothing.
  if (kind === 'read' && !(value === '' && attributes.has(name))) {
    attributes.set(name, typeof value === 'string' ? modelIn(name, unquoted(name, value)) : value);
  }
  if ((isUnreadUsage && typeof value === 'number') || isAmount) attributes.set(name, value);
};

/** Stores the members of an object that a mapping names. */
const storeNamed = (attributes: Map<string, AttributeValue>, name: string, object: unknown): void => {
  for (const [member, value] of membersOf(name, object)) {
    const path = `${name}.${member}`;
    if (typeof value === 'string' && nameUse(path).kind === 'read') storeValue(attributes, path, value);
  }
};

/**
 * Stores an attribute that a mapping reads. The value of any other is not decoded, so that content never becomes a string;
 * only a count of usage is kept, and a token count leaves a mark that it was there.
 */
export const storeAttribute = (
  attributes: Map<string, AttributeValue>,
  name: string,
  read: (mapDepth: number) => AttributeValue | AttributeMap | undefined,
  skipped: Skipped,
): void => {
  const { kind, isUnreadUsage, isTokenCount } = nameUse(name);
  if (kind === 'content') skipped.content.add(name);
  if (kind === 'content' || (kind === 'other' && !isUnreadUsage && !isTokenCount)) return;
  const value = read(kind === 'object' || kind === 'open object' ? MAP_DEPTH_MAXIMUM : 0);
  if (value === undefined) return;
  if (kind === 'open object') {
    storeNamed(attributes, name, typeof value === 'string' ? objectIn(value) : value);
    return;
  }
  if (isMap(value) || (kind === 'object' && typeof value === 'string')) {
    storeMembers(attributes, name, isMap(value) ? value : objectIn(value), 1);
    return;
  }
  storeValue(attributes, name, value);
  if (kind === 'other' && isTokenCount && isCounting(value)) attributes.set(UNREAD_COUNTS, true);
};

const saysNothing = (value: AttributeValue): boolean =>
  typeof value === 'string' && (value === '' || value === LITELLM_NOBODY || isAbsent(value));

const find = (known: Known, sources: readonly Attributes[]) => {
  for (const name of names[known]) {
    for (const source of sources) {
      const value = source.get(name);
      if (value !== undefined && !saysNothing(value)) return value;
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

/** Whether a producer denies something under one of the names. */
export const isDenied = (known: Known, source: Attributes): boolean =>
  names[known].some((name) => source.get(name) === false);

/** Whether a producer affirms something under one of the names. */
export const isAffirmed = (known: Known, source: Attributes): boolean =>
  names[known].some((name) => source.get(name) === true);

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
