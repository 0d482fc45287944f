import { getSession } from '../../../../schemas/routes/identity/session.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { requireSession } from './findSession.ts';
import { readSessionId } from './sessionCookie.ts';
import { sessionResponse } from './sessionResponse.ts';

/** A browser without the cookie is not an error, which the browser would log on the page that offers the sign-in. */
export default operation(getSession, async ({ stores, ...request }) =>
  readSessionId(request.cookies, settings.BASE_URL) === null
    ? reply(204, undefined)
    : reply(200, await sessionResponse(await requireSession(request, stores), request, stores)),
);
