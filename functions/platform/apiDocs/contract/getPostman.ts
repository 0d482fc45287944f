import { routeGroups } from '../../../../schemas/routes/index.ts';
import { getPostman } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { settings } from '../../shared/settings.ts';
import { monthlyPublication } from './monthlyPublication.ts';
import { recentExample } from './openapiText.ts';
import { buildPostman } from './postman.ts';
import { publish } from './publication.ts';

const collectionAt = monthlyPublication((now) =>
  JSON.stringify(recentExample(buildPostman(routeGroups, settings.BASE_URL), now)),
);

export default operation(getPostman, ({ receivedAt, header }) => publish(collectionAt(receivedAt), header));
