import type { Correction } from './correctionWrites.ts';
import { type DisputeRequest, openDispute } from './openDispute.ts';

/** The correction that opens a dispute. */
export const disputeCorrection = (request: DisputeRequest): Correction<'attribution.disputed'> => ({
  apply: (current, at) => openDispute(current, request, at),
  event: {
    type: 'attribution.disputed',
    data: (corrected) => ({
      attribution_id: corrected.id,
      invocation_id: corrected.invocation_id,
      version: corrected.version,
      owner: corrected.owner,
      service: corrected.service,
      dispute_id: request.id,
      proposed_owner: request.owner ?? null,
      proposed_service: request.service ?? null,
      by: request.by,
      reason: request.reason,
    }),
  },
});
