import { type CallLogsAccepted, postCallLogs } from '../../../schemas/routes/ingest/callLogs.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { checkEvent } from '../events/checkEvent.ts';
import { enqueueEvents } from '../events/enqueueEvents.ts';
import { decodeCallLogs } from './decodeCallLogs.ts';

const ERRORS_MAXIMUM = 10;

export default operation(
  postCallLogs,
  async ({ body, caller, receivedAt, stores }) => {
    const checked = body.events.map((event) => checkEvent(event, receivedAt));
    const events = checked.flatMap(({ event }) => (event === null ? [] : [JSON.stringify(event)]));
    const errors = checked.flatMap(({ errors: reasons }) => reasons ?? []).slice(0, ERRORS_MAXIMUM);
    await enqueueEvents(stores, { caller, receivedAt, events, droppedMembers: 0 });
    const accepted: CallLogsAccepted = {
      accepted: events.length,
      rejected: checked.length - events.length,
      skipped: body.skipped,
      ...(errors.length > 0 && { errors }),
      ...(body.warnings.length > 0 && { warnings: [...body.warnings] }),
    };
    return reply(202, accepted);
  },
  decodeCallLogs,
);
