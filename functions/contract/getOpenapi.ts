import { getOpenapi } from '../../schemas/routes/contract.ts';
import { routes } from '../../schemas/routes/index.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { settings } from '../shared/settings.ts';
import { buildOpenapi } from './openapi.ts';

let document: string | undefined;

export default operation(getOpenapi, () => {
  document ??= JSON.stringify(buildOpenapi(routes, settings.BASE_URL));
  return reply(200, document);
});
