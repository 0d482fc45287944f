import { type CallLogsAccepted, postCallLogs } from '../../../schemas/routes/ingest/callLogs.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { acceptEvents } from '../events/acceptEvents.ts';
import { changesIn } from '../events/checkEvent.ts';
import { ERRORS_MAXIMUM } from '../events/eventResults.ts';
import { decodeCallLogs } from './decodeCallLogs.ts';

const WARNINGS_MAXIMUM = 10;

export default operation(
  postCallLogs,
  async ({ body: { events, skipped, warnings: changes }, caller, receivedAt, stores }) => {
    const checked = await acceptEvents(stores, events, { caller, receivedAt });
    const rejected = checked.flatMap(({ errors }) => (errors === null ? [] : [errors]));
    const warnings = [...changes, ...changesIn(checked)].slice(0, WARNINGS_MAXIMUM);
    const accepted: CallLogsAccepted = {
      accepted: checked.length - rejected.length,
      rejected: rejected.length,
      skipped,
      ...(rejected.length > 0 && { errors: rejected.flat().slice(0, ERRORS_MAXIMUM) }),
      ...(warnings.length > 0 && { warnings }),
    };
    return reply(202, accepted);
  },
  decodeCallLogs,
);
