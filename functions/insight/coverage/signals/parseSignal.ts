import type * as z from 'zod';
import type { FieldError } from '../../../../schemas/fieldError.ts';
import {
  ConnectorEvent,
  type ConnectorHealth,
  DiscoveryEvent,
  type DiscoverySignal,
  OtherEvent,
} from '../../../../schemas/ingest/cloudEvent.ts';
import { foreignTenantErrors } from '../../../ingest/events/checkEvent.ts';
import { aheadErrors } from '../../../ingest/events/eventTimes.ts';
import { eventOfCloudEvent, INFERENCE_EVENT_TYPE } from '../../../ingest/formats/cloudEvent.ts';
import { parseBody } from '../../../platform/http/body/parseBody.ts';
import { fieldErrors } from '../../../platform/http/inputErrors.ts';
import { memberAt } from '../../../platform/shared/memberAt.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { scrubData } from './scrubData.ts';

/** The payload of a signal, reduced to what is stored. */
type SignalPayload =
  | { readonly kind: 'discovery'; readonly data: DiscoverySignal }
  | { readonly kind: 'connector_health'; readonly data: ConnectorHealth }
  | { readonly kind: 'other'; readonly data: unknown };

interface Attributes {
  readonly source: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  /** Its time, epoch milliseconds. */
  readonly at: number;
}

/** A valid CloudEvent that tells of something else than a call. */
export type Signal = Attributes & SignalPayload;

/** A valid CloudEvent whose data is an inference event, which is not yet checked. */
export type CallSignal = Attributes & { readonly kind: 'call'; readonly event: Record<string, unknown> };

/** A valid CloudEvent, or its validation errors. */
export type SignalParseResult =
  | { readonly signal: Signal | CallSignal; readonly errors: null }
  | { readonly signal: null; readonly errors: readonly FieldError[] };

/** Only what identifies the event of a call can refuse it. The check of its inference event repairs the rest. */
const CallEvent = OtherEvent.pick({ specversion: true, id: true, source: true, type: true });

const rejectSignal = (errors: readonly FieldError[]): SignalParseResult => ({ signal: null, errors });

/** Validates and parses one CloudEvent at `now` (epoch milliseconds). */
export const parseSignal = (sent: unknown, tenantId: string, now: number): SignalParseResult => {
  const foreign = foreignTenantErrors(sent, tenantId);
  if (foreign.length > 0) return rejectSignal(foreign);
  const parseAs = <Event extends z.output<typeof OtherEvent>>(
    shape: z.ZodType<Event>,
    toPayload: (event: Event) => SignalPayload | Pick<CallSignal, 'kind' | 'event'>,
    faults: (event: Event) => FieldError[] = () => [],
  ): SignalParseResult => {
    const { data: event, error } = parseBody(shape, sent);
    if (error !== undefined) return rejectSignal(fieldErrors(error, shape, sent));
    const errors = [...aheadErrors('/time', event.time, now), ...faults(event)];
    if (errors.length > 0) return rejectSignal(errors);
    const { source, id, type, subject = null, time } = event;
    const at = time === undefined ? now : Date.parse(time);
    return { signal: { source, id, type, subject, at, ...toPayload(event) }, errors: null };
  };
  switch (memberAt(sent, 'type')) {
    case 'discovery.signal':
      return parseAs(
        DiscoveryEvent,
        ({ data }) => ({ kind: 'discovery', data }),
        ({ data }) => aheadErrors('/data/last_seen', data.last_seen, now),
      );
    case 'connector.health':
      return parseAs(ConnectorEvent, ({ data }) => ({ kind: 'connector_health', data }));
    case INFERENCE_EVENT_TYPE:
      return parseAs(CallEvent, () => ({ kind: 'call', event: eventOfCloudEvent(sent, toIso(now)) }));
    default:
      return parseAs(OtherEvent, ({ data }) => ({ kind: 'other', data: scrubData(data) }));
  }
};
