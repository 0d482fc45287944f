import { getChangesReport } from '../../../schemas/routes/insight/changes.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import { readChanges } from './changes/readChanges.ts';

/** Responds with a page of the changes between two periods. Throws INVALID_REQUEST for an invalid range, and the errors of paging. */
export default operation(getChangesReport, (call) =>
  respondWithResult(getChangesReport, call, (asOf) =>
    readChanges(call.stores, call.caller, call.query, asOf),
  ),
);
