import { getJwks, type Jwks } from '../../schemas/routes/access/access.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../access/keySchedule.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { unavailable } from '../shared/problem.ts';

export default operation(getJwks, async ({ stores }) => {
  const keys = await stores.keys.publicKeys().catch((error: unknown) => {
    throw unavailable(error);
  });
  const set: Jwks = { keys: [...keys] };
  return reply(200, set, { 'cache-control': `public, max-age=${KEY_SET_MAX_AGE_SECONDS}` });
});
