import * as z from 'zod';
import {
  REPORT_SUBSCRIPTIONS_MAXIMUM,
  ReportSubscription,
  ReportSubscriptionRequest,
} from '../../delivery/reportSubscriptions.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const OWN = 'With admin:config, those of the tenant. Otherwise those of the caller.';

export const createReportSubscription = route({
  method: 'POST',
  path: '/api/v1/report-subscriptions',
  operation: 'createReportSubscription',
  limits: { resources: REPORT_SUBSCRIPTIONS_MAXIMUM },
  authority: { effect: 'settings', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'credentials',
  summary: 'Send a weekly or monthly report to a person or the chat',
  description:
    'Spend beside the period before, the largest changes, the forecast of the month, spend without an owner, and suggested savings, as in the reports and with their suppression. It is sent once for each period, when the totals are complete, a day after its end at the latest. An e-mail contains what its recipient may read when it is sent: without read:reporting nothing, and idle nodes only with read:attribution. A chat has readers without roles, so it contains what read:reporting shows, and needs admin:config. VALIDATION_FAILED: no such user, no user calls, or too many subscriptions.',
  access: 'read:reporting',
  discloses: 'none',
  rate: 'write',
  needs: ['access.list', 'reportSubscriptions.write'],
  body: { kind: 'json', schema: ReportSubscriptionRequest, maxBytes: 4_096 },
  audit: 'report_subscription.create',
  replies: { 201: { description: 'The subscription', body: ReportSubscription } },
});

export const listReportSubscriptions = route({
  method: 'GET',
  path: '/api/v1/report-subscriptions',
  operation: 'listReportSubscriptions',
  authority: { effect: 'none', reveals: [], withholds: ['admin:config'], lanes: 'own' },
  unit: 'credentials',
  summary: 'List report subscriptions, newest first',
  description: OWN,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['reportSubscriptions.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: {
    200: {
      description: 'A page of subscriptions',
      body: pageOf(ReportSubscription, 'ReportSubscriptionPage'),
    },
  },
});

export const getReportSubscription = route({
  method: 'GET',
  path: '/api/v1/report-subscriptions/{id}',
  operation: 'getReportSubscription',
  authority: { effect: 'none', reveals: [], withholds: ['admin:config'], lanes: 'own' },
  unit: 'credentials',
  summary: 'Read one report subscription',
  description: OWN,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['reportSubscriptions.read'],
  ids: { id: 'rps' },
  replies: { 200: { description: 'The subscription', body: ReportSubscription } },
});

export const deleteReportSubscription = route({
  method: 'DELETE',
  path: '/api/v1/report-subscriptions/{id}',
  operation: 'deleteReportSubscription',
  authority: { effect: 'deletion', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'credentials',
  summary: 'Unsubscribe from a report',
  description: OWN,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'write',
  needs: ['reportSubscriptions.write'],
  ids: { id: 'rps' },
  audit: 'report_subscription.delete',
  replies: { 204: { description: 'No further report is sent' } },
});

export const reportSubscriptionRoutes = [
  createReportSubscription,
  listReportSubscriptions,
  getReportSubscription,
  deleteReportSubscription,
] as const;
