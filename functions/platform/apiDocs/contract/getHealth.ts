import { getHealth } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';

export default operation(getHealth, () => reply(200, { status: 'ok' }));
