import { isAbsent } from '../../../schemas/labels/absentText.ts';
import type { UnreadCount } from '../../impact/usage/unreadUsage.ts';
import { Big } from '../../platform/shared/decimal.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';

export { memberAt };

/** A number as a text: `1000`, ` 1000.0` of data frames, `1,000` of people, `1e3` of loggers. */
const NUMBER = /^\s*\+?(?:\d{1,3}(?:,\d{3})+|\d{1,10})(?:\.\d{1,20})?(?:e\+?\d)?\s*$/i;

/** A token count: a whole number, also if it was sent as text. A fraction is an average, and no count. */
export const toCount = (value: unknown): number | undefined => {
  const count = typeof value === 'string' && NUMBER.test(value) ? Number(value.replaceAll(',', '')) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};

/**
 * An amount of USD, also if it was sent as a number: a double is read as the shortest decimal that stands for it, which is
 * what the producer meant. At most 12 fractional digits.
 */
export const toAmount = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,17}(?:\.\d{1,40})?(?:e-\d{1,2})?$/.test(text)) return undefined;
  return Big(text).round(12).toFixed();
};

/** Text of a member, without surrounding space. Undefined if it is empty or stands for no value. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const member = memberAt(value, ...path);
  const text = typeof member === 'string' ? member.trim() : undefined;
  return text === undefined || text === '' || isAbsent(text) ? undefined : text;
};

export const countAt = (value: unknown, ...path: readonly string[]): number | undefined =>
  toCount(memberAt(value, ...path));

/** More than an event can have, because some of them may be no tags. */
const TAGS_READ_MAXIMUM = 40;

/** The first texts of a list that can be tags of an event. */
export const tagsOf = (texts: Iterable<unknown>): readonly string[] | undefined => {
  const tags = new Set<string>();
  for (const text of texts) {
    if (typeof text !== 'string' || text === '') continue;
    tags.add(text);
    if (tags.size === TAGS_READ_MAXIMUM) break;
  }
  return tags.size === 0 ? undefined : [...tags];
};

/** A date with a time, without a zone. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Exports without a zone are in UTC. Otherwise the zone of this machine would decide. */
const parseTime = (text: string): number => Date.parse(WITHOUT_ZONE.test(text) ? `${text}Z` : text);

/** An ISO timestamp of Unix seconds with a fraction, or of a text in RFC 3339. */
export const toTimestamp = (value: unknown): string | undefined => {
  const milliseconds =
    typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? parseTime(value) : Number.NaN;
  return Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < 8.64e15
    ? new Date(milliseconds).toISOString()
    : undefined;
};

/** Leaves out members that are undefined. */
export const definedMembers = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Members that hold a number above 0, besides those that are read. Names of members are no content. */
export const unreadCounts = (value: unknown, read: ReadonlySet<string>): readonly UnreadCount[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        typeof member === 'number' && member > 0 && !read.has(name) && /^\w{1,64}$/.test(name)
          ? [{ name, count: member }]
          : [],
      );
