import { getSession } from '../../../schemas/routes/access/session.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { orUnavailable } from '../../shared/problem.ts';
import { requireSession } from './findSession.ts';
import { sessionResponse } from './sessionResponse.ts';

export default operation(getSession, ({ stores, ...request }) =>
  orUnavailable(async () =>
    reply(200, await sessionResponse(await requireSession(request, stores), request, stores)),
  ),
);
