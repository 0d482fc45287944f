import * as z from 'zod';
import { Dispute } from '../../attribution/attributionRecord.ts';
import { Cursor, PageLimit } from '../../page.ts';
import { freeText, label } from '../../values.ts';
import { route } from '../route.ts';
import { AttributionDetail, AttributionPage } from './attribution.ts';

const CORRECTION_BYTES_MAXIMUM = 256 * 1_024;

const Owner = label(256);
const Service = label(256);
const Reason = freeText(512).meta({ description: 'Stored with the record and included in the event' });

const OverrideRequest = z
  .strictObject({ owner: Owner.optional(), service: Service.optional(), reason: Reason })
  .refine(({ owner, service }) => owner !== undefined || service !== undefined, {
    error: 'must name an owner, a service or both',
  })
  .meta({
    id: 'OverrideRequest',
    description: 'At least one of owner and service is required. An omitted one does not change',
    minProperties: 2,
    example: { owner: 'team-search', reason: 'The gateway ran under the key of another team' },
  });

const DisputeRequest = z
  .strictObject({
    reason: Reason,
    proposed_owner: Owner.optional(),
    proposed_service: Service.optional(),
  })
  .meta({
    id: 'DisputeRequest',
    example: { reason: 'This service moved to another team in May', proposed_owner: 'team-search' },
  });

export const overrideAttribution = route({
  method: 'POST',
  path: '/v1/attribution/{id}/overrides',
  operation: 'overrideAttribution',
  authority: { effect: 'attribution', reveals: ['read:attribution'], lanes: 'own' },
  unit: 'corrections',
  summary: 'Override the owner or service of a record',
  description:
    'Creates a new version of the record with output_state manually_overridden and the highest confidence. Cost, energy and carbon do not change, and an unknown price stays unknown. The explanation keeps the earlier rule results beside the override. The override resolves an open dispute. Emits attribution.override.applied. The response contains the record, so the caller also needs read:attribution.',
  access: 'admin:config',
  discloses: 'records',
  rate: 'write',
  needs: ['archive.read', 'ledger.correct', 'marks.add', 'outbox.append', 'rollups.mark'],
  ids: { id: 'att' },
  body: { kind: 'json', schema: OverrideRequest, maxBytes: CORRECTION_BYTES_MAXIMUM },
  audit: 'attribution.override',
  replies: { 201: { description: 'The record in its new version', body: AttributionDetail } },
});

export const disputeAttribution = route({
  method: 'POST',
  path: '/v1/attribution/{id}/disputes',
  operation: 'disputeAttribution',
  authority: { effect: 'attribution', reveals: ['read:attribution'], lanes: 'own' },
  unit: 'corrections',
  summary: 'Dispute the attribution of a record',
  description:
    'Creates a new version of the record with the dispute. Owner and service do not change until an override resolves the dispute. CONFLICT if the record already has an open dispute. Emits attribution.disputed. The response contains the record, so the caller also needs read:attribution.',
  access: 'admin:config',
  discloses: 'records',
  rate: 'write',
  needs: ['archive.read', 'ledger.correct', 'marks.add', 'outbox.append', 'rollups.mark'],
  ids: { id: 'att' },
  body: { kind: 'json', schema: DisputeRequest, maxBytes: CORRECTION_BYTES_MAXIMUM },
  audit: 'attribution.dispute',
  refuses: ['CONFLICT'],
  replies: { 201: { description: 'The record in its new version', body: AttributionDetail } },
});

export const confirmCost = route({
  method: 'POST',
  path: '/v1/attribution/{id}/cost-confirmation',
  operation: 'confirmCost',
  authority: { effect: 'attribution', reveals: ['read:attribution'], lanes: 'own' },
  unit: 'corrections',
  summary: 'Confirm the cost of a record',
  description:
    'A cost far above what the usage explains, or above 60,000 USD or largest_reported_cost_usd, is not counted (implausible_cost). This makes explanation.reported_cost the cost, in a new version. CONFLICT if none waits. The caller also needs read:attribution.',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'records',
  rate: 'write',
  needs: ['archive.read', 'ledger.correct', 'marks.add', 'outbox.append', 'rollups.mark'],
  ids: { id: 'att' },
  audit: 'attribution.confirm_cost',
  refuses: ['CONFLICT'],
  replies: { 201: { description: 'The record in its new version', body: AttributionDetail } },
});

export const listDisputes = route({
  method: 'GET',
  path: '/v1/disputes',
  operation: 'listDisputes',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'attribution',
  summary: 'List disputed records, newest dispute first',
  description:
    'Each record has its newest dispute and its present owner. A record appears once. While has_more is true, a page can have fewer records than its limit, or none.',
  access: 'read:attribution',
  discloses: 'records',
  rate: 'read',
  needs: ['archive.read', 'disputes.read', 'ledger.read', 'progress.read', 'cursor.derive'],
  query: z.strictObject({
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
    status: Dispute.shape.status.optional().meta({ description: 'Default: both' }),
  }),
  replies: { 200: { description: 'A page of records', body: AttributionPage } },
});
