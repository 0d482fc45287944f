import * as z from 'zod';
import { Anomaly } from '../anomalies.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { route } from './route.ts';

export const listAnomalies = route({
  method: 'GET',
  path: '/api/v1/anomalies',
  operation: 'listAnomalies',
  unit: 'budgets',
  summary: 'List anomalies of cost, newest first',
  description:
    'Hours and days of UTC that cost far more than the like of them before: the same hour of the week, or weekday, of up to eight weeks; of fourteen days while a series is younger than four weeks. Judged for the whole tenant and each owner, service and model, from a week of history on, ten minutes to two hours after an hour has ended. Raises anomaly.detected once for each finding. An owner, service or model is named only where neither its calls of the period nor the others show one to four persons; otherwise the excess is told where it shows: at the whole tenant. A credential that is bound to a residency lane sees that lane.',
  access: 'read:reporting',
  rate: 'read',
  needs: ['anomalies.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of anomalies', body: pageOf(Anomaly, 'AnomalyPage') } },
});
