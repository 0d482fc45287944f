import * as z from 'zod';
import { label } from '../values.ts';
import { AttributionDetail } from './attribution.ts';
import { route } from './route.ts';

const CORRECTION_BYTES_MAXIMUM = 256 * 1_024;

const Owner = label(256);
const Service = label(256);
const Reason = label(512).meta({ description: 'Kept with the record, and sent with the event' });

const OverrideRequest = z
  .strictObject({ owner: Owner.optional(), service: Service.optional(), reason: Reason })
  .refine(({ owner, service }) => owner !== undefined || service !== undefined, {
    error: 'must name an owner, a service or both',
  })
  .meta({
    id: 'OverrideRequest',
    description: 'What is not named stays as it is; at least one of owner and service must be',
    minProperties: 2,
    example: { owner: 'team-search', reason: 'The gateway ran under the key of another team' },
  });

const DisputeRequest = z
  .strictObject({
    reason: Reason,
    proposed_owner: Owner.optional(),
    proposed_service: Service.optional(),
  })
  .meta({ id: 'DisputeRequest' });

export const overrideAttribution = route({
  method: 'POST',
  path: '/v1/attribution/{id}/overrides',
  operation: 'overrideAttribution',
  effect: 'attribution',
  unit: 'corrections',
  summary: 'Name the owner or service of a record by hand',
  description:
    'Writes the next version of the record: output_state manually_overridden at the highest confidence. Cost, energy and carbon stay, an unknown price stays unknown, and the rules that judged before stay in the explanation beside the override. An open dispute is resolved by it. Raises attribution.override.applied.',
  access: 'admin:config',
  rate: 'write',
  needs: ['ledger.correct', 'outbox.append', 'rollups.mark'],
  ids: { id: 'att' },
  body: { kind: 'json', schema: OverrideRequest, maxBytes: CORRECTION_BYTES_MAXIMUM },
  audit: 'attribution.override',
  replies: { 201: { description: 'The record in its new version', body: AttributionDetail } },
});

export const disputeAttribution = route({
  method: 'POST',
  path: '/v1/attribution/{id}/disputes',
  operation: 'disputeAttribution',
  effect: 'attribution',
  unit: 'corrections',
  summary: 'Dispute whom a record names',
  description:
    'Writes the next version of the record, with the dispute; what the record says stays until an override resolves it. CONFLICT while another dispute of the record is open. Raises attribution.disputed.',
  access: 'admin:config',
  rate: 'write',
  needs: ['ledger.correct', 'outbox.append', 'rollups.mark'],
  ids: { id: 'att' },
  body: { kind: 'json', schema: DisputeRequest, maxBytes: CORRECTION_BYTES_MAXIMUM },
  audit: 'attribution.dispute',
  refuses: ['CONFLICT'],
  replies: { 201: { description: 'The record in its new version', body: AttributionDetail } },
});
