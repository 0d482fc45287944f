import type * as z from 'zod';

/** What a sender can do about a value, in our words and without the value. */
export const issueReason = (issue: z.core.$ZodIssue): string => {
  const unit = 'origin' in issue && issue.origin === 'array' ? ' items' : ' characters';
  const counted = 'origin' in issue && ['string', 'array'].includes(issue.origin) ? unit : '';
  switch (issue.code) {
    case 'too_big':
      return counted === ''
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum}${counted}`;
    case 'too_small':
      return counted === ''
        ? `must be at least ${issue.minimum}`
        : `must have at least ${issue.minimum}${counted}`;
    case 'invalid_type':
      return `must be of the type ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      // Formats of our own have their own words.
      return issue.message.startsWith('Invalid') ? `must have the format ${issue.format}` : issue.message;
    default:
      return issue.message;
  }
};
