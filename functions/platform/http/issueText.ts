import type * as z from 'zod';

/** What has a number of characters or items, and not an amount. */
const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'items',
  record: 'members',
};

const TYPES: Readonly<Record<string, string>> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an RFC 3339 timestamp, such as 2026-03-01T09:30:00Z',
  date: 'a date, such as 2026-03-01',
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
};

const boundText = (
  word: 'least' | 'most',
  origin: string,
  bound: number | bigint,
  inclusive = true,
): string => {
  const unit = UNITS[origin];
  if (unit !== undefined && word === 'least' && bound === 1) return 'must not be empty';
  if (unit !== undefined) return `must have at ${word} ${bound} ${unit}`;
  if (inclusive) return `must be at ${word} ${bound}`;
  return `must be ${word === 'most' ? 'less' : 'more'} than ${bound}`;
};

const choiceText = (choices: readonly unknown[]): string =>
  choices.length === 1 ? `must be ${String(choices[0])}` : `must be one of ${choices.map(String).join(', ')}`;

/** What is wrong with a value, as its sender can put it right. Never quotes the value. */
export const issueText = (issue: z.core.$ZodRawIssue): string => {
  if (issue.input === undefined) return 'is required';
  return issue.input === null ? `${expectationText(issue)}, not null` : expectationText(issue);
};

const expectationText = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return choiceText(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? choiceText(issue.options) : 'is not valid';
    case 'too_big':
      return boundText('most', issue.origin, issue.maximum, issue.inclusive);
    case 'too_small':
      return boundText('least', issue.origin, issue.minimum, issue.inclusive);
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern !== undefined
        ? `must match ${issue.pattern}`
        : `must be ${FORMATS[issue.format] ?? `of the format ${issue.format}`}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return 'is not valid';
  }
};
