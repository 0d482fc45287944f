import * as z from 'zod';

/** When a credential was used last. */
export const LastUsedAt = z.iso
  .datetime()
  .nullable()
  .meta({ id: 'LastUsedAt', description: 'Accurate to one minute. Null if never used' });
