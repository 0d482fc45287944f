import type { DegradationChange, RaisedEvent } from '../../schemas/events.ts';
import type { DegradationState } from '../attribution/inference.ts';
import { createEvent } from '../events/createEvent.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { ServingState } from './servingState.ts';

/**
 * The event of a change of state at `at` (epoch milliseconds). It is committed with the change, so that it is raised
 * exactly when that happens; its id follows from tenant, change and instant.
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

/** How a tenant's predictions are served: switched off wins over everything that may have happened to a model. */
export const degradationOf = (
  { stage_b }: Pick<Tenant, 'stage_b'>,
  serving: Pick<ServingState, 'degradation'> | null,
): DegradationState => (stage_b === 'disabled' ? 'disabled' : (serving?.degradation ?? 'none'));
