import { CATALOGUE_VERSION, errorCodes, problemSlug, problemTypes } from '../../../../schemas/problems.ts';
import { type ErrorCatalogue, listErrors } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { settings } from '../../shared/settings.ts';
import { replyToReader } from './documentPage.ts';

export default operation(listErrors, ({ header }) => {
  const catalogue: ErrorCatalogue = {
    version: CATALOGUE_VERSION,
    errors: errorCodes.map((code) => ({
      error_code: code,
      ...problemTypes[code],
      type: `${settings.BASE_URL}/errors/${problemSlug(code)}`,
    })),
  };
  return replyToReader(header, 'Errors', catalogue);
});
