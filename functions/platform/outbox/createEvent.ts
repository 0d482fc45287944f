import type { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import {
  type EventData,
  EventInterpretation,
  type EventType,
  eventData,
  type RaisedEvent,
} from '../../../schemas/delivery/events.ts';
import { idOf } from '../shared/ids.ts';
import { toIso } from '../shared/time/toIso.ts';

/**
 * Builds an event of a tenant and validates its data. `ulid` is derived from the cause, so a retry builds the same event.
 * `at` is epoch milliseconds. `interpretation` is the evidence card when the data is an attribution result. Throws a
 * ZodError when the data does not match the schema of its type.
 */
export const createEvent = <Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  cause: { readonly ulid: string; readonly at: number; readonly tenant: { tenant_id: string; tag: string } },
  interpretation?: Interpretation,
): RaisedEvent => ({
  id: idOf('evt', cause.tenant.tag, cause.ulid),
  type,
  created_at: toIso(cause.at),
  tenant_id: cause.tenant.tenant_id,
  data: eventData[type].parse(data),
  ...(interpretation !== undefined && { interpretation: EventInterpretation.parse(interpretation) }),
});
