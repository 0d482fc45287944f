import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { createEvent } from '../../../platform/outbox/createEvent.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import type { Attribution } from '../attribution.ts';

const TYPE = 'attribution.materialized';

/**
 * The event of a version. Everything in it follows from the version, so publishing it again or replaying it later gives
 * the same event.
 */
export const materializedEvent = ({ record }: Attribution): RaisedEvent => {
  const { id, invocation_id, version, occurred_at, as_of, provider, served_model, tenant_id } = record;
  const { owner, service, output_state, coper, cost_usd, energy_wh, carbon_gco2e, interpretation } = record;
  const at = Date.parse(as_of);
  return createEvent(
    TYPE,
    {
      attribution_id: id,
      invocation_id,
      version,
      occurred_at,
      provider,
      served_model,
      owner,
      service,
      output_state,
      confidence: coper,
      cost_usd,
      energy_wh,
      carbon_gco2e,
    },
    { ulid: ulidOf(at, sha256Of(TYPE, id, String(version))), at, tenant: { tenant_id, tag: tagInId(id) } },
    interpretation,
  );
};
