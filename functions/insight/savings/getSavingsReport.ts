import { getSavingsReport } from '../../../schemas/routes/insight/savings.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import { readSavings } from './readSavings.ts';

/** Responds with a page of suggestions. Throws INVALID_REQUEST for an invalid range, and the errors of paging. */
export default operation(getSavingsReport, (call) =>
  respondWithResult(getSavingsReport, call, (asOf) =>
    readSavings(call.stores, call.caller, call.query, asOf),
  ),
);
