import type { RaisedEvent } from '../../../schemas/events.ts';
import type { EntryKind } from '../../../schemas/webhooks.ts';

/** An event of any type, the challenge included. */
export type Deliverable = Omit<RaisedEvent, 'type'> & { readonly type: string };

/**
 * The bytes that are signed and sent: the same for the same event, sequence and replay, at every attempt. Members stand
 * in the order below, those of the data in the order they were raised in.
 */
export const serializeEnvelope = (
  event: Deliverable,
  {
    sequence,
    replayed,
    kind = 'event',
  }: { readonly sequence: number; readonly replayed: boolean; readonly kind?: EntryKind },
): Uint8Array => {
  const { id, type, created_at, tenant_id, data, interpretation } = event;
  return new TextEncoder().encode(
    JSON.stringify({
      id,
      type,
      created_at,
      tenant_id,
      sequence,
      data,
      ...(interpretation !== undefined && {
        interpretation: {
          stage_origin: interpretation.stage_origin,
          confidence_band: interpretation.confidence_band,
          degradation_state: interpretation.degradation_state,
        },
      }),
      ...(replayed && { replayed }),
      ...(kind === 'test' && { test: true }),
    }),
  );
};
