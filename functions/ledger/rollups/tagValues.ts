import { SEVERAL } from '../../../schemas/tenants/costAllocationTags.ts';

/**
 * The value of each key among the tags of a call, by key. Null if the call has no tag of the key, and {@link SEVERAL} if it
 * has several.
 */
export const tagValues = (
  tags: readonly string[],
  keys: readonly string[],
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    keys.map((key) => {
      const values = new Set(
        tags.filter((tag) => tag.startsWith(`${key}:`)).map((tag) => tag.slice(key.length + 1)),
      );
      const [only = null] = values;
      return [key, values.size > 1 ? SEVERAL : only];
    }),
  );
