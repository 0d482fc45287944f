import { errorCodes, problemSlug, problemTypes } from '../../../../schemas/problems.ts';
import { getErrorPage } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { ProblemError } from '../../shared/problem.ts';

export default operation(getErrorPage, ({ parameters }) => {
  const code = errorCodes.find((candidate) => problemSlug(candidate) === parameters['slug']);
  if (code === undefined) throw new ProblemError('NOT_FOUND', 'There is no such error page.');
  return reply(200, { error_code: code, ...problemTypes[code] });
});
