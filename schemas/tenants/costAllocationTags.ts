import * as z from 'zod';
import { dropConfidential } from '../values.ts';

/** Most tag keys that reports of a tenant can group by. Each multiplies the number of groups that are summed. */
export const TAG_KEYS_MAXIMUM = 5;

/** The key of a tag: the text before the first colon, such as `env` of `env:prod`. */
export const TagKey = z
  .string()
  .max(32)
  .regex(/^[A-Za-z0-9._/-]+$/, 'must be the key of a tag: letters, digits, and any of . _ / -')
  .refine((key) => dropConfidential(key) !== undefined, 'must not hold a secret');

/** A tag of which reports and exports show sums, such as `tag:env`. */
export const TagField = z.templateLiteral(['tag:', TagKey], {
  error: 'tag: with the key of a tag, such as tag:env',
});
export type TagField = z.infer<typeof TagField>;

export const isTagField = (field: string): field is TagField => field.startsWith('tag:');

/** The key of a field. */
export const tagKeyOf = (field: TagField): string => field.slice('tag:'.length);

/** The value that reports show for calls with several values of one key. */
export const SEVERAL = '(several)';
