import * as z from 'zod';
import { Authorization } from '../../../platform/tenancy/authorization.ts';

/** A report to a person or a chat: what it says, and who gets it. */
export const ReportContent = z.object({
  title: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      rows: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
  /** The page of the console that shows it, below its URL. */
  page: z.string(),
  /** The address of the recipient. Null: the chat of the tenant. */
  to: z.string().nullable(),
  /** The principal who must still have the scopes that it was made with. */
  authorized_by: Authorization,
});
export type ReportContent = z.infer<typeof ReportContent>;
