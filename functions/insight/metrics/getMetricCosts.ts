import { getMetricCosts } from '../../../schemas/routes/insight/metricCosts.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import { readMetricCosts } from './readMetricCosts.ts';

/** Responds with a page of metrics. Throws INVALID_REQUEST for an invalid range, and the errors of paging. */
export default operation(getMetricCosts, (call) =>
  respondWithResult(getMetricCosts, call, (asOf) =>
    readMetricCosts(call.stores, call.caller, call.query, asOf),
  ),
);
