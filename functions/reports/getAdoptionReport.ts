import { getAdoptionReport } from '../../schemas/routes/reporting/reports.ts';
import { operation } from '../http/operation.ts';
import { respondWithReport } from './report.ts';
import { sumAdoption } from './reportTotals.ts';

export default operation(getAdoptionReport, (call) =>
  respondWithReport(getAdoptionReport, call, sumAdoption),
);
