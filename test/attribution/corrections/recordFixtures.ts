import type { Override } from '../../../functions/attribution/corrections/applyOverride.ts';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import type { Factors } from '../../../functions/impact/factors.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, aTenant, noFactors } from '../engine/events.ts';

const RECEIVED = Date.parse('2026-07-15T12:00:01Z');
/** Time of the corrections. */
export const AT = Date.parse('2026-07-20T08:00:00Z');

/** The attribution of an event before corrections. */
export const attributionFor = (
  event: InvocationEvent = anEvent(),
  factors: Factors = noFactors,
): Attribution =>
  attribute(event, { occurredAt: RECEIVED, receivedAt: RECEIVED, residency: 'eu' }, aTenant(), factors);

export const anOverride = (members: Partial<Override> = {}): Override => ({
  id: 'ovr_1',
  by: 'key_1',
  reason: 'It was ours',
  owner: 'team-b',
  service: undefined,
  ...members,
});
