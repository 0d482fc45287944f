import * as z from 'zod';
import { Anomaly } from '../anomalies.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { route } from './route.ts';

export const listAnomalies = route({
  method: 'GET',
  path: '/api/v1/anomalies',
  operation: 'listAnomalies',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'budgets',
  summary: 'List cost anomalies, newest first',
  description:
    'An anomaly is a UTC hour or day whose cost is far above its baseline. The baseline is the same hour of the week, or the same weekday, of up to eight weeks. While a series is younger than four weeks, the baseline is the last fourteen days. The service evaluates the whole tenant and each owner, service and model, once there is one week of history. An hour is evaluated ten minutes to two hours after it ends. Each anomaly emits anomaly.detected once. All amounts are sums of the cohorts of the reports, so none of them contains only the calls of one to four persons. An hour with fewer than five callers is not evaluated. A credential bound to a residency lane sees only that lane.',
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['anomalies.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of anomalies', body: pageOf(Anomaly, 'AnomalyPage') } },
});
