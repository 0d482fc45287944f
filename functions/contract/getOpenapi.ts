import { getOpenapi } from '../../schemas/routes/contract.ts';
import { routes } from '../../schemas/routes/index.ts';
import { operation } from '../http/operation.ts';
import { settings } from '../shared/settings.ts';
import { openapiText, previousMonth } from './openapiText.ts';
import { type Publication, publication, publish } from './publication.ts';

let current: { readonly month: string; readonly document: Publication } | undefined;

export default operation(getOpenapi, ({ receivedAt, header }) => {
  const month = previousMonth(receivedAt);
  if (current?.month !== month) {
    const text = openapiText(routes, settings.BASE_URL, receivedAt);
    current = { month, document: publication('application/json', text) };
  }
  return publish(current.document, header);
});
