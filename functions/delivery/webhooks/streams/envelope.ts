import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { EntryKind } from '../../../../schemas/delivery/webhooks.ts';

/** An event of any type, including the verification challenge. */
export type Deliverable = Omit<RaisedEvent, 'type'> & { readonly type: string };

/**
 * The UTF-8 JSON bytes that are signed and sent. They are identical at every attempt for the same event, sequence and
 * replay: the members have the order below, and the members of `data` keep the order of the raised event.
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
