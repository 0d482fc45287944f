import * as z from 'zod';
import { ConnectorStatus } from '../../ingest/cloudEvent.ts';
import { AGE_MONTHS_MAXIMUM } from '../../ingest/eventAge.ts';
import { InvocationEvent } from '../../ingest/invocationEvent.ts';
import { HEARTBEAT_RETENTION_DAYS, Integration } from '../../insight/coverage.ts';
import {
  BATCH_BYTES_MAXIMUM,
  BATCH_EVENTS_MAXIMUM,
  InvocationAccepted,
  InvocationBatch,
  InvocationBatchAccepted,
  SINGLE_BYTES_MAXIMUM,
  UncheckedBatch,
  UncheckedEvent,
} from '../ingest/events.ts';
import { route } from '../route.ts';

const HEALTH_BYTES_MAXIMUM = 4 * 1_024;

const Health = z.object({ status: ConnectorStatus, reported_at: z.iso.datetime() });

const PartnerConnector = z
  .object({
    client_id: z.string(),
    connector: z.string().meta({ description: 'The name under which the tenant registered it' }),
    residency: z.string().nullable(),
    health: Health.nullable().meta({ description: 'The newest report. Null if there is none' }),
    source_systems: z.array(z.string()),
    usage: z.array(z.object({ day: z.iso.date(), events: z.int() })).meta({
      description: 'Accepted events of the last 31 UTC days, newest first. Repeated requests count again',
    }),
  })
  .meta({ id: 'PartnerConnector' });
export type PartnerConnector = z.infer<typeof PartnerConnector>;

const PartnerCoverage = z
  .object({
    as_of: z.iso.datetime(),
    source_systems: z.array(
      z.object({
        source_system: z.string(),
        status: Integration.shape.status.meta({
          description: `By the silence threshold of the source system, as for a layer of the coverage map. not_seen: no event in the last ${HEARTBEAT_RETENTION_DAYS} days`,
        }),
        last_seen: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'Arrival of the newest event, to ten minutes' }),
        ingestion_layers: z.array(z.string()).meta({ description: 'Capture layers of its events, by name' }),
      }),
    ),
  })
  .meta({ id: 'PartnerCoverage' });
export type PartnerCoverage = z.infer<typeof PartnerCoverage>;

const common = { unit: 'partner', access: 'partner:connector', discloses: 'none' } as const;

const registration =
  'For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system.';

const ingestion = {
  ...common,
  method: 'POST',
  authority: { effect: 'ingestion', reveals: [], lanes: 'own' },
  rate: 'ingest',
  needs: ['accepted.send', 'coverage.meterConnector', 'progress.report'],
  audit: 'connector.send',
} as const;

export const postPartnerInvocation = route({
  ...ingestion,
  path: '/api/partner/v1/invocations',
  operation: 'postPartnerInvocation',
  limits: { age_months: AGE_MONTHS_MAXIMUM },
  summary: 'Send one inference event of a registered source system',
  description: `As postInvocation. source_system must be one of the connector; it can be left out if there is only one. An event of another source system is refused with INSUFFICIENT_SCOPE, which the audit log records. ${registration}`,
  body: { kind: 'json', schema: InvocationEvent, accepts: UncheckedEvent, maxBytes: SINGLE_BYTES_MAXIMUM },
  replies: { 202: { description: 'The event is in a durable queue', body: InvocationAccepted } },
});

export const postPartnerEvents = route({
  ...ingestion,
  path: '/api/partner/v1/events',
  operation: 'postPartnerEvents',
  limits: { age_months: AGE_MONTHS_MAXIMUM },
  summary: `Send up to ${BATCH_EVENTS_MAXIMUM} inference events of the registered source systems`,
  description: `As postInvocationBatch. source_system must be one of the connector; it can be left out if there is only one. An event of another source system refuses the whole batch with INSUFFICIENT_SCOPE, which the audit log records. ${registration}`,
  body: { kind: 'json', schema: InvocationBatch, accepts: UncheckedBatch, maxBytes: BATCH_BYTES_MAXIMUM },
  replies: {
    202: { description: 'The accepted events are in a durable queue', body: InvocationBatchAccepted },
  },
});

export const getPartnerConnector = route({
  ...common,
  method: 'GET',
  path: '/api/partner/v1/connector',
  operation: 'getPartnerConnector',
  // Reads only the reports and counts of the connector itself.
  authority: { effect: 'none', reveals: [], internal: ['read:attribution'], lanes: 'own' },
  summary: 'Read the registration, health and usage of the connector',
  description: registration,
  rate: 'read',
  needs: ['coverage.readConnector'],
  replies: { 200: { description: 'The connector of the credential', body: PartnerConnector } },
});

export const getPartnerCoverage = route({
  ...common,
  method: 'GET',
  path: '/api/partner/v1/coverage',
  operation: 'getPartnerCoverage',
  // Reads only when the source systems of the connector were seen.
  authority: { effect: 'none', reveals: [], internal: ['read:attribution'], lanes: 'own' },
  summary: 'Read when each source system of the connector was last seen',
  description: `Only source systems of the connector, in its lane. ${registration}`,
  rate: 'read',
  needs: ['coverage.readConnector'],
  replies: { 200: { description: 'The source systems of the connector', body: PartnerCoverage } },
});

export const putPartnerHealth = route({
  ...common,
  method: 'PUT',
  path: '/api/partner/v1/connector/health',
  operation: 'putPartnerHealth',
  authority: { effect: 'ingestion', reveals: [], internal: ['read:attribution'], lanes: 'own' },
  summary: 'Report the health of the connector',
  description: `A change emits connector.health.changed, and the coverage map shows the newest report. ${registration}`,
  rate: 'write',
  needs: ['coverage.recordDiscovery', 'outbox.append'],
  body: {
    kind: 'json',
    schema: z
      .strictObject({ status: ConnectorStatus })
      .meta({ id: 'PartnerHealthReport', example: { status: 'degraded' } }),
    maxBytes: HEALTH_BYTES_MAXIMUM,
  },
  audit: 'connector.health',
  replies: { 200: { description: 'The report is stored', body: Health.meta({ id: 'PartnerHealth' }) } },
});

export const partnerRoutes = [
  postPartnerInvocation,
  postPartnerEvents,
  getPartnerConnector,
  putPartnerHealth,
  getPartnerCoverage,
];
