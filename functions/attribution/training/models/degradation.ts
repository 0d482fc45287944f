import type { DegradationChange, RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { createEvent } from '../../../platform/outbox/createEvent.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { DegradationState } from '../../engine/inference.ts';
import type { ServingState } from './servingState.ts';

/**
 * The event of a degradation change at `at` (epoch milliseconds). Commit it in one transaction with the change. Its id is
 * derived from tenant, change and instant.
 */
export const degradationEvent = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  change: DegradationChange,
  at: number,
): RaisedEvent => {
  const { previous, state } = change;
  const ulid = ulidOf(at, sha256Of('degradation', tenant.tenant_id, previous, state, String(at)));
  return createEvent('degradation.state.changed', change, { ulid, at, tenant });
};

/** The degradation state of a tenant. A disabled stage B takes precedence over the state of its models. */
export const degradationOf = (
  { stage_b }: Pick<Tenant, 'stage_b'>,
  serving: Pick<ServingState, 'degradation'> | null,
): DegradationState => (stage_b === 'disabled' ? 'disabled' : (serving?.degradation ?? 'none'));
