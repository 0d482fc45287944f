import { getAdoptionReport } from '../../schemas/routes/reports.ts';
import { operation } from '../http/operation.ts';
import { answerReport } from './report.ts';
import { adoptionOf } from './sums.ts';

export default operation(getAdoptionReport, ({ query, caller, receivedAt, stores }) =>
  answerReport({ route: getAdoptionReport, query, caller, receivedAt, stores, sumUp: adoptionOf }),
);
