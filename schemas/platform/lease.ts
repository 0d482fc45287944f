import * as z from 'zod';

/** The exclusive right of one process to something, until an instant in epoch milliseconds. */
export const Lease = z.object({ holder: z.string(), until: z.int() });
export type Lease = z.infer<typeof Lease>;
