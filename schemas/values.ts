import * as z from 'zod';
import { isAbsent } from './labels/absentText.ts';
import { canonicalText } from './labels/canonicalText.ts';
import { confidentialReason, LABEL_WORDS_MAXIMUM, TEXT_WORDS_MAXIMUM } from './labels/confidentialText.ts';

/** Highest confidence that the service reports, and the highest that it accepts from a producer. */
export const CONFIDENCE_CEILING = 0.95;

/** Minimum confidence of a record for chargeback. */
export const CHARGEBACK_FLOOR = 0.8;

/** The highest confidence of an advisory prediction: just below the chargeback floor. */
export const ADVISORY_CEILING = CHARGEBACK_FLOOR - 0.01;

/**
 * Confidence of an allocated owner (our estimate). Below the chargeback floor: an allocation is no evidence about one call.
 */
export const ALLOCATION_CONFIDENCE = 0.3;

/** Minimum confidence of a provisional record. Records below it are estimated. */
export const PROVISIONAL_FLOOR = 0.5;

/**
 * A non-negative decimal as a string, for money (USD), energy (Wh) and carbon (gCO2e) in JSON. At most 12 fractional digits.
 * Sign, exponent and leading zeros are not allowed, so two strings of one value differ only in trailing zeros.
 */
export const DecimalString = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,17})(?:\.\d{1,12})?$/, {
    error: 'must be a non-negative decimal string with at most 12 fractional digits',
    // What refines it reads a decimal.
    abort: true,
  })
  .meta({
    id: 'DecimalString',
    description: 'Non-negative decimal as a string with at most 12 fractional digits',
    example: '0.001325',
  });

/** A text that a pattern restricts further. The document shows the pattern beside the reference to what the text is. */
export const matching = <Text extends z.ZodString>(text: Text, pattern: RegExp, message: string): Text =>
  text.refine((value) => pattern.test(value), message).meta({ pattern: pattern.source });

export const PositiveDecimal = matching(DecimalString, /[1-9]/, 'must be more than 0');

/** A list that names nothing twice, as its schema says. */
export const distinct = <Items extends z.ZodArray>(items: Items, message: string): Items =>
  items.refine((list) => new Set(list).size === list.length, message).meta({ uniqueItems: true });

/** A timestamp in a request: RFC 3339 with `Z` or an offset. Normalized to UTC milliseconds after parsing. */
export const Timestamp = z.iso
  // What refines it reads a time.
  .datetime({ offset: true, abort: true })
  .max(40)
  .meta({ id: 'Timestamp', description: 'RFC 3339 timestamp', example: '2026-03-01T09:30:00.000Z' });

/** A date in a request. What refines it reads a date. */
export const IsoDate = z.iso.date({ abort: true });

/** A bound of a period in a request. */
export const DayOrInstant = z
  .union([IsoDate, Timestamp])
  .meta({ id: 'DayOrInstant', description: 'Timestamp, or a date for the whole UTC day' });

/**
 * The members of a response that contains a secret once. A replay to another credential of the tenant withholds it.
 * The route names the member of the secret in `secret` of its reply.
 */
export const oneTimeSecret = <Name extends string>(name: Name, description: string) => {
  const secret = z
    .string()
    .nullable()
    .meta({
      description: `${description} Null in an idempotent replay to another credential, scope set or lane than the first`,
    });
  const withheld = z
    .string()
    .optional()
    .meta({ description: 'Present if a replay withholds the secret: the reason and the remedy' });
  return z.object({ [name]: secret, withheld } as { [member in Name]: typeof secret } & {
    withheld: typeof withheld;
  }).shape;
};

const memoizeByLength = <Schema>(create: (max: number) => Schema) => {
  const schemas = new Map<number, Schema>();
  return (max: number): Schema => {
    const schema = schemas.get(max) ?? create(max);
    schemas.set(max, schema);
    return schema;
  };
};

/** The readable part of a text in its canonical form: in one line, without control characters and halves of surrogate pairs. */
export const printableText = (text: string): string =>
  canonicalText(text.replaceAll(/[\t\n\v\f\r\u0085]+/g, ' ').replaceAll(/[\p{Cc}\p{Cs}]/gu, ''));

/**
 * Readable text in its canonical form, without control characters, so that it is safe in logs, headers and files. All text
 * that names something is parsed by it, so that one name is one name in every view.
 */
const readable = (max: number) =>
  z
    .string()
    .overwrite((text) => (text.length > 2 * max ? text : canonicalText(text)))
    // An empty text has no characters that could be wrong.
    .min(1, { abort: true })
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must not contain control characters');

const printable = memoizeByLength((max) => readable(max).meta({ id: `Text${max}` }));

/** The id of something that the service or another system named, as a request repeats it. */
export const RepeatedId = printable(128);

/** JSON Schema cannot count words, so its own keyword publishes the limit. */
const withoutConfidentialText = (kind: string, wordsMaximum: number) =>
  memoizeByLength((max: number) =>
    readable(max)
      .superRefine((text, issues) => {
        // Text that is too long is already refused. Searching it would cost more than its limit allows.
        const reason = text.length > max ? null : confidentialReason(text, wordsMaximum);
        if (reason !== null) issues.addIssue({ code: 'custom', message: reason });
      })
      .meta({ id: `${kind}${max}`, 'x-max-words': wordsMaximum }),
  );

/** A name (owner, service, model): readable text without secrets, too short for a prompt. */
export const label = withoutConfidentialText('Label', LABEL_WORDS_MAXIMUM);

/** A text in which a person explains something, such as the reason of an override. Without secrets. */
export const freeText = withoutConfidentialText('FreeText', TEXT_WORDS_MAXIMUM);

/** The text; undefined if it must not be stored. */
export const dropConfidential = (text: string): string | undefined =>
  confidentialReason(text) === null ? text : undefined;

/**
 * An optional label of an event. A value that holds a secret, is as long as a prompt or stands for no value is dropped, not
 * refused: the event has a cost, and its producer often cannot correct the label. The response lists the dropped member.
 */
export const droppableLabel = (max: number) =>
  printable(max).transform((text) => (isAbsent(text) ? undefined : dropConfidential(text)));

/** Labels of which single ones are dropped, as {@link droppableLabel} does. */
export const droppableLabels = (max: number, count: number) =>
  z
    .array(printable(max))
    .max(count)
    .transform((labels) => labels.filter((text) => dropConfidential(text) !== undefined));

/** Tokens of one call. The maximum keeps each product with a price within 18 integer digits. */
export const TokenCount = z
  .int()
  // What refines an event compares its counts.
  .min(0, { abort: true })
  .max(1_000_000_000, { abort: true });

/**
 * A whole number in a query string. The OpenAPI document has the integer that it means, and not the pattern of its text. At
 * most nine digits.
 */
export const queryInteger = (minimum: number, maximum: number, example: number) =>
  z
    .string()
    .refine(
      (text) => /^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
      `must be a whole number from ${minimum} to ${maximum}`,
    )
    .transform(Number)
    .meta({
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: 'integer', minimum, maximum, example });
      },
    });
