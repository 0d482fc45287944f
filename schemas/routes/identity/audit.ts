import * as z from 'zod';
import { AuditAction, AuditEntry } from '../../identity/audit.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { DayOrInstant, RepeatedId } from '../../values.ts';
import { route } from '../route.ts';

const AuditQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
  sort: z.enum(['at', '-at']).optional().meta({ description: 'Default: -at (newest first)' }),
  action: AuditAction.optional(),
  actor: RepeatedId.optional().meta({
    description: 'Id of the API key, OAuth client or user that made the request',
  }),
  resource: RepeatedId.optional().meta({ description: 'Id of the affected resource' }),
  outcome: z.enum(['succeeded', 'refused']).optional(),
  'at[gt]': DayOrInstant.optional(),
  'at[gte]': DayOrInstant.optional(),
  'at[lt]': DayOrInstant.optional(),
  'at[lte]': DayOrInstant.optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const listAuditLog = route({
  method: 'GET',
  path: '/api/v1/audit-log',
  operation: 'listAuditLog',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  unit: 'credentials',
  summary: 'List audit log entries',
  description:
    'The log is append-only: changes with what they changed, reads of single records, and refused calls. Rejected requests are also logged, with their error code. An entry must match all filters. While has_more is true, a page can have fewer entries than its limit, or none.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['audit.read', 'cursor.derive'],
  query: AuditQuery,
  replies: { 200: { description: 'A page of entries', body: pageOf(AuditEntry, 'AuditPage') } },
});
