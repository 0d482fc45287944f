import { type Counter, UNREAD_USAGE } from '../../../schemas/tenants/counters.ts';
import type { Reply } from '../../platform/http/reply.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { acceptEvents, type IntakeStores } from '../events/acceptEvents.ts';
import { changesIn, describeFault } from '../events/checkEvent.ts';
import type { DecodedExport } from './decodeExport.ts';
import { exportReply } from './exportReply.ts';
import { describeUnread } from './unreadUsage.ts';

/** What both export operations pass on. */
interface Received {
  readonly body: Omit<DecodedExport, 'events'> & { readonly events: readonly unknown[] };
  readonly caller: Caller;
  readonly receivedAt: number;
  readonly stores: IntakeStores;
  readonly header: (name: string) => string | undefined;
}

/**
 * Queues the valid events of an export and answers in its encoding. Rejected ones are counted with the reason of the first
 * one: the protocol has no place for more. `rejectedName` is the JSON name of that count.
 */
export const receiveExport = async (
  { body, caller, receivedAt, stores, header }: Received,
  rejectedName: 'rejectedSpans' | 'rejectedLogRecords',
): Promise<Reply> => {
  const checked = await acceptEvents(stores, body.events, {
    caller,
    receivedAt,
    counts: new Map<Counter, number>([
      ...(body.content.length > 0 ? ([['dropped_members', body.content.length]] as const) : []),
      ...(body.uncounted > 0 ? ([['uncounted_calls', body.uncounted]] as const) : []),
      ...[...body.unread].map(([scope, count]) => [`${UNREAD_USAGE}${scope}`, count] as const),
    ]),
  });
  const [first, ...others] = checked.flatMap(({ errors }) => (errors === null ? [] : [errors]));

  const rejected = body.unidentified + (first === undefined ? 0 : 1 + others.length);
  // The protocol: a message without rejected items is a warning.
  const message = [
    ...(body.unidentified > 0 ? ['a span of a model call must have a trace_id and a span_id'] : []),
    ...(first ?? []).slice(0, 3).map(describeFault),
    ...describeUnread(body.unread, rejectedName === 'rejectedSpans' ? 'spans' : 'log records'),
    ...[...body.warnings, ...changesIn(checked)].slice(0, 3),
  ].join('; ');
  return exportReply(header('content-type'), { rejectedName, rejected, message });
};
