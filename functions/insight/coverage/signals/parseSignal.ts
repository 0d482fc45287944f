import type * as z from 'zod';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import {
  ConnectorEvent,
  type ConnectorHealth,
  DiscoveryEvent,
  type DiscoverySignal,
  OtherEvent,
} from '../../../../schemas/ingestion/cloudEvent.ts';
import type { FieldError } from '../../../../schemas/problems.ts';
import { fieldErrors } from '../../../platform/http/inputErrors.ts';
import { scrubData } from './scrubData.ts';

/** Tolerance for producer clocks that are ahead. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;

/** The payload of an event, reduced to what is stored. */
export type SignalPayload =
  | { readonly kind: 'discovery'; readonly data: DiscoverySignal }
  | { readonly kind: 'connector_health'; readonly data: ConnectorHealth }
  | { readonly kind: 'other'; readonly data: unknown };

/** A valid CloudEvent. `at` is its time, epoch milliseconds. */
export type Signal = SignalPayload & {
  readonly source: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly at: number;
};

/** A valid event, or its validation errors. */
export type SignalParseResult =
  | { readonly signal: Signal; readonly errors: null }
  | { readonly signal: null; readonly errors: FieldError[] };

export const memberOf = (sent: unknown, member: string): unknown =>
  typeof sent === 'object' && sent !== null ? Reflect.get(sent, member) : undefined;

const rejectSignal = (...errors: FieldError[]): SignalParseResult => ({ signal: null, errors });

const validateNotAhead = (pointer: string, text: string | undefined, now: number): FieldError[] =>
  text !== undefined && Date.parse(text) > now + MAX_AHEAD_MS
    ? [{ pointer, detail: 'must not be more than 10 minutes ahead' }]
    : [];

/** Validates and parses one CloudEvent at `now` (epoch milliseconds). */
export const parseSignal = (sent: unknown, tenantId: string, now: number): SignalParseResult => {
  const claimedTenant = memberOf(sent, 'tenant_id');
  if (claimedTenant !== undefined && claimedTenant !== tenantId) {
    return rejectSignal({
      pointer: '/tenant_id',
      detail: 'must be left out or equal the tenant of the credential',
    });
  }
  const parseAs = <Event extends z.output<typeof OtherEvent>>(
    shape: z.ZodType<Event>,
    toPayload: (event: Event) => SignalPayload,
    faults: (event: Event) => FieldError[] = () => [],
  ): SignalParseResult => {
    const { data: event, error } = shape.safeParse(sent);
    if (error !== undefined) return rejectSignal(...fieldErrors(error));
    const errors = [...validateNotAhead('/time', event.time, now), ...faults(event)];
    if (errors.length > 0) return rejectSignal(...errors);
    const { source, id, type, subject = null, time } = event;
    const at = time === undefined ? now : Date.parse(time);
    return { signal: { source, id, type, subject, at, ...toPayload(event) }, errors: null };
  };
  switch (memberOf(sent, 'type')) {
    case 'discovery.signal':
      return parseAs(
        DiscoveryEvent,
        ({ data }) => ({ kind: 'discovery', data }),
        ({ data }) => validateNotAhead('/data/last_seen', data.last_seen, now),
      );
    case 'connector.health':
      return parseAs(ConnectorEvent, ({ data }) => ({ kind: 'connector_health', data }));
    default:
      return parseAs(OtherEvent, ({ data }) => ({ kind: 'other', data: scrubData(data) }));
  }
};
