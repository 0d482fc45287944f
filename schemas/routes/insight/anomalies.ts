import * as z from 'zod';
import {
  AnomalyMute,
  ExplainedAnomaly,
  ListedAnomaly,
  MUTES_MAXIMUM,
  muteMembers,
} from '../../insight/anomalies.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

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
  replies: {
    200: {
      description: 'A page of anomalies',
      body: pageOf(ListedAnomaly, 'AnomalyPage')
        .extend({
          evaluated_at: z.iso.datetime().nullable().meta({
            description: 'When the service last looked. Null: not yet, so an empty list says nothing',
          }),
        })
        .meta({ id: 'AnomalyPage' }),
    },
  },
});

export const getAnomaly = route({
  method: 'GET',
  path: '/api/v1/anomalies/{id}',
  operation: 'getAnomaly',
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'reports',
  summary: 'Read one anomaly, with its first hour and what led to it',
  description:
    'Divides the change of its cost since the same weekdays before exactly into calls, models, tokens, cache and price, as getChangesReport does, for the calls of its lane. All figures are sums of the cohorts of the reports.',
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['anomalies.read', 'rollups.read', 'progress.read', 'prices.read', 'tenants.read'],
  ids: { id: 'anm' },
  replies: { 200: { description: 'The anomaly', body: ExplainedAnomaly } },
});

const SERIES =
  'The series is the tenant, owner, service or model of the anomaly, in its residency lane, by the hour and by the day.';

export const muteAnomaly = route({
  method: 'PUT',
  path: '/api/v1/anomalies/{id}/mute',
  operation: 'muteAnomaly',
  limits: { resources: MUTES_MAXIMUM },
  authority: { effect: 'settings', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Mute the series of an anomaly',
  description: `For the given number of days, the series raises no anomaly.detected event and no notification, for example during a planned migration. ${SERIES} Its anomalies are still detected and listed. An anomaly that begins while the series is muted raises no event later either. Muting a muted series replaces the time and the reason. A tenant can have ${MUTES_MAXIMUM} muted series; beyond that the response is VALIDATION_FAILED. The response names the series, so the caller also needs read:reporting.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['anomalies.mute'],
  ids: { id: 'anm' },
  body: {
    kind: 'json',
    schema: z.strictObject(muteMembers).meta({
      id: 'AnomalyMuteRequest',
      example: { days: 7, reason: 'Planned backfill of embeddings' },
    }),
    maxBytes: 4_096,
  },
  audit: 'anomaly.mute',
  replies: { 200: { description: 'The muted series', body: AnomalyMute } },
});

export const unmuteAnomaly = route({
  method: 'DELETE',
  path: '/api/v1/anomalies/{id}/mute',
  operation: 'unmuteAnomaly',
  authority: { effect: 'settings', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Unmute the series of an anomaly',
  description: `The next anomaly of the series raises its event again. ${SERIES} Succeeds also if the series is not muted.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['anomalies.mute'],
  ids: { id: 'anm' },
  audit: 'anomaly.unmute',
  replies: { 204: { description: 'The series is not muted' } },
});

export const anomalyRoutes = [listAnomalies, getAnomaly, muteAnomaly, unmuteAnomaly] as const;
