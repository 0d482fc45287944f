import * as z from 'zod';

/** The severity of a notification. */
export const Severity = z.enum(['warning', 'critical']);
export type Severity = z.infer<typeof Severity>;
