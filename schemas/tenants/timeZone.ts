import * as z from 'zod';

/** A name of the IANA time zone database begins with a letter. An offset such as +05:30 has no daylight saving time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

const isKnown = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const NOT_KNOWN = 'must be a name of the IANA time zone database';

/** The time zone of tenants that have chosen none. */
export const UTC = 'UTC';

export const TimeZone = z
  .string()
  .regex(NAME, { error: NOT_KNOWN, abort: true })
  .refine(isKnown, NOT_KNOWN)
  .meta({ example: 'Asia/Kolkata' });

/** The member of an answer that says of which days it speaks. */
export const AnsweredTimeZone = z
  .string()
  .meta({ id: 'AnsweredTimeZone', description: 'IANA time zone of days and months. Instants are in UTC' });
