import * as z from 'zod';
import { AuditEntry, auditActions } from '../access/audit.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { Timestamp } from '../values.ts';
import { route } from './route.ts';

const Id = z.string().min(1).max(128);

const AuditQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
  sort: z.enum(['at', '-at']).optional().meta({ description: 'Default -at, the newest first' }),
  action: z.enum(auditActions).optional(),
  actor: Id.optional().meta({ description: 'Id of the key, client or user that acted' }),
  resource: Id.optional().meta({ description: 'Id of what was acted on' }),
  outcome: z.enum(['succeeded', 'refused']).optional(),
  'at[gt]': Timestamp.optional(),
  'at[gte]': Timestamp.optional(),
  'at[lt]': Timestamp.optional(),
  'at[lte]': Timestamp.optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const listAuditLog = route({
  method: 'GET',
  path: '/api/v1/audit-log',
  operation: 'listAuditLog',
  unit: 'credentials',
  summary: 'List who did what to credentials, users and settings',
  description:
    'Entries are only ever added. Refused attempts are entries too, with the error code. Filters narrow each other; a page may hold fewer entries than its limit, or none, while has_more is true.',
  access: 'admin:config',
  rate: 'read',
  needs: ['audit.read', 'cursor.derive'],
  query: AuditQuery,
  replies: { 200: { description: 'A page of entries', body: pageOf(AuditEntry, 'AuditPage') } },
});
