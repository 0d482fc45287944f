import { getForecastReport } from '../../../schemas/routes/insight/reports.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import { readForecast } from './readForecast.ts';

/** Responds with a page of the forecast of the current month or quarter. Throws the errors of paging. */
export default operation(getForecastReport, (call) =>
  respondWithResult(getForecastReport, call, (asOf) =>
    readForecast(call.stores, call.caller, call.query, asOf),
  ),
);
