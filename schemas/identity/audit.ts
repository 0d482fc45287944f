import * as z from 'zod';
import { errorCodes } from '../problems.ts';

/**
 * The actions of the audit log: one for each operation that changes access rights, settings or cost attribution. Reads of
 * single records are `records.read`, and all other calls that a caller may not make `access.denied`.
 */
export const auditActions = [
  'api_key.create',
  'api_key.rotate',
  'api_key.revoke',
  'oauth_client.create',
  'oauth_client.rotate',
  'oauth_client.delete',
  'records.read',
  'access.denied',
  'connector.access',
  'connector.send',
  'connector.health',
  'statement.reject',
  'user.sign_in',
  'token.revoke',
  'token.reuse',
  'attribution.override',
  'attribution.dispute',
  'identity_mapping.create',
  'identity_mapping.update',
  'identity_mapping.delete',
  'tenant.create',
  'tenant.update',
  'tenant.prices',
  'tenant.settings',
  'tenant.erase',
  'person.erase',
  'sandbox.reset',
  'sandbox.update',
  'model.train',
  'model.recall',
  'coverage.expectations',
  'bills.import',
  'bill_source.create',
  'bill_source.update',
  'bill_source.delete',
  'anomaly.mute',
  'anomaly.unmute',
  'budget.create',
  'budget.update',
  'budget.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.verify',
  'webhook.rotate',
  'webhook.test',
  'webhook.replay',
  'export.create',
  'export.cancel',
  'export_schedule.create',
  'export_schedule.update',
  'export_schedule.delete',
  'sender.register',
  'sender.remove',
  'user.register',
  'user.update',
  'user.remove',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The actor of an entry. An operator uses AWS credentials of the deployment instead of the API. */
export const AuditActor = z.object({
  type: z.enum(['api_key', 'oauth_client', 'user', 'operator']),
  id: z.string(),
});
export type AuditActor = z.infer<typeof AuditActor>;

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.enum(auditActions).meta({ description: 'Open enumeration: later versions may add actions' }),
    actor: AuditActor,
    resource: z
      .string()
      .nullable()
      .meta({ description: 'Id of the affected resource; null if there is none' }),
    operation: z.string().optional().meta({
      description:
        'operationId of a call whose action stands for many. Only for records.read, access.denied and connector.access. Of equal calls of a credential (operation, resource, error code), the first in each hour is an entry',
    }),
    outcome: z.enum(['succeeded', 'refused']),
    error_code: z
      .enum(errorCodes)
      .nullable()
      .meta({ description: 'The error code of a refusal; null if the action succeeded' }),
    refused_host: z.string().nullable().default(null).meta({
      description:
        'Host and port of a URL that was rejected (WEBHOOK_URL_REJECTED), without user information, path and query; otherwise null',
    }),
    source_ip: z
      .string()
      .nullable()
      .meta({ description: 'Client address as seen by the gateway; null for operators' }),
    trace_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;
