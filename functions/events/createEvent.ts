import type { Interpretation } from '../../schemas/attribution/attributionRecord.ts';
import {
  type EventData,
  EventInterpretation,
  type EventType,
  eventData,
  type RaisedEvent,
} from '../../schemas/events.ts';
import { idOf } from '../shared/ids.ts';

/**
 * An event of a tenant, its data checked against its schema. `ulid` follows from the cause; `at` is epoch milliseconds;
 * `interpretation` is the evidence card where the data is an attribution result.
 */
export const createEvent = <Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  cause: { readonly ulid: string; readonly at: number; readonly tenant: { tenant_id: string; tag: string } },
  interpretation?: Interpretation,
): RaisedEvent => ({
  id: idOf('evt', cause.tenant.tag, cause.ulid),
  type,
  created_at: new Date(cause.at).toISOString(),
  tenant_id: cause.tenant.tenant_id,
  data: eventData[type].parse(data),
  ...(interpretation !== undefined && { interpretation: EventInterpretation.parse(interpretation) }),
});
