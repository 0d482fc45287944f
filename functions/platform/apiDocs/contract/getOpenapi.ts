import { routes } from '../../../../schemas/routes/index.ts';
import { getOpenapi } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { settings } from '../../shared/settings.ts';
import { monthlyPublication } from './monthlyPublication.ts';
import { openapiText } from './openapiText.ts';
import { publish } from './publication.ts';

const documentAt = monthlyPublication((now) => openapiText(routes, settings.BASE_URL, now));

export default operation(getOpenapi, ({ receivedAt, header }) => publish(documentAt(receivedAt), header));
