import * as z from 'zod';

/** How bad it is, what people are told of. */
export const Severity = z.enum(['warning', 'critical']);
export type Severity = z.infer<typeof Severity>;
