import { getAdoptionReport } from '../../../schemas/routes/insight/reports.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithReport } from './report.ts';
import { sumAdoption } from './reportTotals.ts';

export default operation(getAdoptionReport, (call) =>
  respondWithReport(getAdoptionReport, call, sumAdoption),
);
