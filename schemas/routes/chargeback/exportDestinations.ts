import * as z from 'zod';
import {
  destinationMembers,
  EXPORT_DESTINATIONS_MAXIMUM,
  ExportDestination,
} from '../../chargeback/exportDestinations.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const BYTES_MAXIMUM = 4 * 1_024;

const ExportDestinationRequest = z.strictObject(destinationMembers).meta({
  id: 'ExportDestinationRequest',
  example: {
    name: 'Finance lake',
    location: 's3://example-finance/ai',
    region: 'us-east-1',
    role_arn: 'arn:aws:iam::111122223333:role/attribution-exports-finance',
  },
});

const ExportDestinationChange = z
  .strictObject({ name: destinationMembers.name })
  .meta({ id: 'ExportDestinationChange', example: { name: 'Finance lake' } });

const WHOLE_TENANT = 'A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.';

/** Where data goes is changed by administrators only. Who sends exports there may see and try it. */
const common = { unit: 'exports', access: 'admin:config', discloses: 'none' } as const;
const shown = { ...common, alternative: 'export:create' } as const;
const ids = { id: 'dst' };

export const createExportDestination = route({
  ...common,
  method: 'POST',
  path: '/v1/exports/destinations',
  operation: 'createExportDestination',
  limits: { resources: EXPORT_DESTINATIONS_MAXIMUM },
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Name an S3 bucket to which exports are delivered',
  description: `Requests for exports and schedules name it in delivery. The role trusts trusted_role_arn with external_id of the response; then check the destination. VALIDATION_FAILED: more than ${EXPORT_DESTINATIONS_MAXIMUM} destinations. ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['exportDestinations.write', 'deliveryRole.name'],
  body: { kind: 'json', schema: ExportDestinationRequest, maxBytes: BYTES_MAXIMUM },
  audit: 'export_destination.create',
  replies: { 201: { description: 'The destination, which was not checked yet', body: ExportDestination } },
});

export const listExportDestinations = route({
  ...shown,
  method: 'GET',
  path: '/v1/exports/destinations',
  operation: 'listExportDestinations',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'List export destinations, newest first',
  description: WHOLE_TENANT,
  rate: 'read',
  needs: ['exportDestinations.read', 'deliveryRole.name', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: {
    200: { description: 'A page of destinations', body: pageOf(ExportDestination, 'ExportDestinationPage') },
  },
});

export const getExportDestination = route({
  ...shown,
  method: 'GET',
  path: '/v1/exports/destinations/{id}',
  operation: 'getExportDestination',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'Read one export destination with the result of its check',
  description: WHOLE_TENANT,
  rate: 'read',
  needs: ['exportDestinations.read', 'deliveryRole.name'],
  ids,
  replies: { 200: { description: 'The destination', body: ExportDestination } },
});

export const updateExportDestination = route({
  ...common,
  method: 'PATCH',
  path: '/v1/exports/destinations/{id}',
  operation: 'updateExportDestination',
  authority: { effect: 'settings', reveals: [], lanes: 'all' },
  summary: 'Rename an export destination',
  description: `Bucket and role do not change: schedules of others send their exports there. Create another destination instead. ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['exportDestinations.write', 'deliveryRole.name'],
  ids,
  body: { kind: 'json', schema: ExportDestinationChange, maxBytes: BYTES_MAXIMUM },
  audit: 'export_destination.update',
  replies: { 200: { description: 'The changed destination', body: ExportDestination } },
});

export const checkExportDestination = route({
  ...shown,
  method: 'POST',
  path: '/v1/exports/destinations/{id}/check',
  operation: 'checkExportDestination',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'Put a test object into the bucket of an export destination',
  description: `Within a minute the service puts attribution-check.json below the location, as deliveries put their files. Read the destination until its check is working or failing. ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['exportDestinations.write', 'deliveryRole.name'],
  ids,
  audit: 'export_destination.check',
  replies: { 202: { description: 'The destination, whose check is requested', body: ExportDestination } },
});

export const deleteExportDestination = route({
  ...common,
  method: 'DELETE',
  path: '/v1/exports/destinations/{id}',
  operation: 'deleteExportDestination',
  authority: { effect: 'deletion', reveals: [], lanes: 'all' },
  summary: 'Delete an export destination',
  description: `Open deliveries to it fail, and so do those of schedules that still name it. Objects in the bucket stay. ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['exportDestinations.write'],
  ids,
  audit: 'export_destination.delete',
  replies: { 204: { description: 'The destination is deleted' } },
});

/** In the order of the documentation. */
export const exportDestinationRoutes = [
  createExportDestination,
  listExportDestinations,
  getExportDestination,
  updateExportDestination,
  checkExportDestination,
  deleteExportDestination,
];
