import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { sha256Of } from '../../platform/shared/hash.ts';

/**
 * Identifies the content of an event: two deliveries of one event id with the same hash are the same event. The hash covers
 * all members except the times, which a retry may set again, or which follow from its arrival, and the neighbours of a span,
 * which depend on what else was exported with it. The schema fixes the order of members, so the JSON is canonical.
 */
export const contentHash = (event: InvocationEvent): string => {
  const {
    ingestion_timestamp: _ingested,
    occurred_at: _occurred,
    reported_time: _reported,
    caller_span_id: _caller,
    covered_span_ids: _covered,
    ...content
  } = event;
  return sha256Of('event', JSON.stringify(content)).subarray(0, 16).toString('base64url');
};
