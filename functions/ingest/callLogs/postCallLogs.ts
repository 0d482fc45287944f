import { type CallLogsAccepted, postCallLogs } from '../../../schemas/routes/ingest/callLogs.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { acceptEvents } from '../events/acceptEvents.ts';
import { ERRORS_MAXIMUM } from '../events/eventResults.ts';
import { decodeCallLogs } from './decodeCallLogs.ts';

export default operation(
  postCallLogs,
  async ({ body: { events, skipped, warnings }, caller, receivedAt, stores }) => {
    const checked = await acceptEvents(stores, events, { caller, receivedAt });
    const rejected = checked.flatMap(({ errors }) => (errors === null ? [] : [errors]));
    const accepted: CallLogsAccepted = {
      accepted: checked.length - rejected.length,
      rejected: rejected.length,
      skipped,
      ...(rejected.length > 0 && { errors: rejected.flat().slice(0, ERRORS_MAXIMUM) }),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    };
    return reply(202, accepted);
  },
  decodeCallLogs,
);
