import { getReference } from '../../../../schemas/routes/platform/reference.ts';
import { operation } from '../../http/operation.ts';
import { settings } from '../../shared/settings.ts';
import { publication, publish } from '../contract/publication.ts';
import { scripts, styles } from './assets.ts';
import { PAGE_POLICY, referencePage } from './page.ts';

const page = publication('text/html; charset=utf-8', referencePage(settings.BASE_URL, { scripts, styles }), {
  'content-security-policy': PAGE_POLICY,
});

export default operation(getReference, ({ header }) => publish(page, header));
