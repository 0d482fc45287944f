import type * as z from 'zod';
import {
  ConnectorEvent,
  type ConnectorHealth,
  DiscoveryEvent,
  type DiscoverySignal,
  OtherEvent,
} from '../../schemas/ingestion/cloudEvent.ts';
import type { FieldError } from '../../schemas/problems.ts';
import { fieldErrors } from '../http/validate.ts';
import { keptData } from './content.ts';

/** A signal may come from a clock ahead of ours. */
const AHEAD_MILLISECONDS = 10 * 60 * 1_000;

/** What an event tells, with nothing in it but what is kept. */
export type Told =
  | { readonly kind: 'discovery'; readonly data: DiscoverySignal }
  | { readonly kind: 'connector_health'; readonly data: ConnectorHealth }
  | { readonly kind: 'other'; readonly data: unknown };

/** A CloudEvent that passed; `at` is when it says it happened, epoch milliseconds. */
export type Signal = Told & {
  readonly source: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly at: number;
};

/** An event that passed, or why it did not. */
export type Judged =
  | { readonly signal: Signal; readonly errors: null }
  | { readonly signal: null; readonly errors: FieldError[] };

export const memberOf = (sent: unknown, member: string): unknown =>
  typeof sent === 'object' && sent !== null ? Reflect.get(sent, member) : undefined;

const refused = (...errors: FieldError[]): Judged => ({ signal: null, errors });

const faultOf = (pointer: string, text: string | undefined, now: number): FieldError[] =>
  text !== undefined && Date.parse(text) > now + AHEAD_MILLISECONDS
    ? [{ pointer, detail: 'must not be more than 10 minutes ahead' }]
    : [];

/** Judges what was sent as one CloudEvent, at `now` (epoch milliseconds). */
export const judgeEvent = (sent: unknown, tenantId: string, now: number): Judged => {
  const named = memberOf(sent, 'tenant_id');
  if (named !== undefined && named !== tenantId) {
    return refused({ pointer: '/tenant_id', detail: 'The tenant follows from the credential alone.' });
  }
  const judgedBy = <Event extends z.output<typeof OtherEvent>>(
    shape: z.ZodType<Event>,
    told: (event: Event) => Told,
    faults: (event: Event) => FieldError[] = () => [],
  ): Judged => {
    const { data: event, error } = shape.safeParse(sent);
    if (error !== undefined) return refused(...fieldErrors(error));
    const errors = [...faultOf('/time', event.time, now), ...faults(event)];
    if (errors.length > 0) return refused(...errors);
    const { source, id, type, subject = null, time } = event;
    const at = time === undefined ? now : Date.parse(time);
    return { signal: { source, id, type, subject, at, ...told(event) }, errors: null };
  };
  switch (memberOf(sent, 'type')) {
    case 'discovery.signal':
      return judgedBy(
        DiscoveryEvent,
        ({ data }) => ({ kind: 'discovery', data }),
        ({ data }) => faultOf('/data/last_seen', data.last_seen, now),
      );
    case 'connector.health':
      return judgedBy(ConnectorEvent, ({ data }) => ({ kind: 'connector_health', data }));
    default:
      return judgedBy(OtherEvent, ({ data }) => ({ kind: 'other', data: keptData(data) }));
  }
};
