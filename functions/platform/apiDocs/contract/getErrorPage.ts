import { errorCodes, problemSlug, problemTypes } from '../../../../schemas/problems.ts';
import { getErrorPage } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { ProblemError } from '../../shared/problem.ts';
import { replyToReader } from './documentPage.ts';

export default operation(getErrorPage, ({ parameters, header }) => {
  const code = errorCodes.find((candidate) => problemSlug(candidate) === parameters['slug']);
  if (code === undefined) throw new ProblemError('NOT_FOUND', 'There is no such error page.');
  return replyToReader(header, problemTypes[code].title, { error_code: code, ...problemTypes[code] });
});
