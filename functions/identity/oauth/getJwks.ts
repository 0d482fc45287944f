import { getJwks, type Jwks } from '../../../schemas/routes/identity/access.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../access/tokens/keySchedule.ts';

export default operation(getJwks, async ({ stores }) => {
  const keys = await stores.keys.publicKeys();
  const set: Jwks = { keys: [...keys] };
  return reply(200, set, { 'cache-control': `public, max-age=${KEY_SET_MAX_AGE_SECONDS}` });
});
