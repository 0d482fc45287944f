import * as z from 'zod';
import { ErrorCodeName } from '../problems.ts';

/**
 * The actions of the audit log: one for each operation that changes access rights, settings or cost attribution. Reads of
 * single records are `records.read`, and all other calls that a caller may not make `access.denied`.
 */
const auditActions = [
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
  'attribution.confirm_cost',
  'identity_mapping.create',
  'identity_mapping.update',
  'identity_mapping.delete',
  'tenant.create',
  'tenant.update',
  'tenant.prices',
  'prices.load',
  'tenant.settings',
  'tenant.erase',
  'person.erase',
  'sandbox.reset',
  'sandbox.update',
  'model.train',
  'records.reprocess',
  'model.recall',
  'coverage.expectations',
  'bills.import',
  'bills.delete',
  'bill_source.create',
  'bill_source.update',
  'bill_source.delete',
  'period.close',
  'period.reopen',
  'anomaly.mute',
  'anomaly.unmute',
  'annotation.create',
  'annotation.delete',
  'saved_view.create',
  'saved_view.delete',
  'saving.dismiss',
  'saving.restore',
  'business_metric.write',
  'business_metric.delete',
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
  'export.deliver',
  'export_schedule.create',
  'export_schedule.update',
  'export_schedule.delete',
  'report_subscription.create',
  'report_subscription.delete',
  'export_destination.create',
  'export_destination.update',
  'export_destination.check',
  'export_destination.delete',
  'sender.register',
  'sender.remove',
  'user.register',
  'user.update',
  'user.remove',
] as const;
export const AuditAction = z.enum(auditActions).meta({
  id: 'AuditAction',
  description: 'Open enumeration: later versions may add actions',
});
export type AuditAction = z.infer<typeof AuditAction>;

/** The actor of an entry. An operator uses AWS credentials of the deployment instead of the API. */
export const AuditActor = z.object({
  type: z.enum(['api_key', 'oauth_client', 'user', 'operator']),
  id: z.string(),
});
export type AuditActor = z.infer<typeof AuditActor>;

/** Most changed members of one entry. */
export const AUDIT_CHANGES_MAXIMUM = 40;
/** Most characters of a value in an entry. */
export const AUDIT_VALUE_MAXIMUM = 200;

export const AuditChange = z
  .object({
    pointer: z.string().meta({ description: 'JSON Pointer (RFC 6901) to the member of the resource' }),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })
  .meta({
    id: 'AuditChange',
    description: `Values are text or JSON, at most ${AUDIT_VALUE_MAXIMUM} characters. Secrets are [redacted], also in URLs`,
  });
export type AuditChange = z.infer<typeof AuditChange>;

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: AuditAction,
    actor: AuditActor,
    resource: z
      .string()
      .nullable()
      .meta({ description: 'Id of the affected resource; null if there is none' }),
    operation: z.string().optional().meta({
      description:
        'operationId. Only for records.read, access.denied and connector.access, of which the first of equal calls in each hour is an entry',
    }),
    outcome: z.enum(['succeeded', 'refused']),
    error_code: ErrorCodeName.nullable().meta({
      description: 'Of a refusal; null if the action succeeded',
    }),
    refused_host: z.string().nullable().default(null).meta({
      description:
        'Host and port of a rejected URL (WEBHOOK_URL_REJECTED), nothing else of it; otherwise null',
    }),
    source_ip: z
      .string()
      .nullable()
      .meta({ description: 'Client address as seen by the gateway; null for operators' }),
    trace_id: z.string().nullable(),
    changes: z
      .array(AuditChange)
      .default([])
      .meta({
        description: `What changed, at most ${AUDIT_CHANGES_MAXIMUM} members. Empty for refusals and reads`,
      }),
    more_changes: z.int().default(0).meta({ description: 'Number of further changed members' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;
