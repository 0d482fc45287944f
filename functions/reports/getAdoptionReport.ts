import { getAdoptionReport } from '../../schemas/routes/reports.ts';
import { operation } from '../http/operation.ts';
import { respondWithReport } from './report.ts';
import { sumAdoption } from './reportTotals.ts';

export default operation(getAdoptionReport, ({ query, caller, receivedAt, stores }) =>
  respondWithReport({ route: getAdoptionReport, query, caller, receivedAt, stores, sumUp: sumAdoption }),
);
