import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { exportDeliverer } from '../../chargeback/exports/delivery/deliver.ts';
import { dueDeliveryRunner } from '../../chargeback/exports/delivery/dueDeliveries.ts';
import { PART_BYTES } from '../../chargeback/exports/delivery/putFile.ts';
import { destinationChecker } from '../../chargeback/exports/destinations/checkBucket.ts';
import { assumeRole } from '../../platform/customerBuckets/assumeRole.aws.ts';
import { bucketRequests } from '../../platform/customerBuckets/bucketRequests.ts';
import { localBuckets } from '../../platform/customerBuckets/localBuckets.ts';
import { defaultEgressLimits, egress } from '../../platform/egress/egress.ts';
import { systemResolver } from '../../platform/egress/resolution.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { settings } from '../../platform/shared/settings.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';
import {
  hasTimeLeft,
  type InvocationContext,
  withinInvocation,
} from '../../platform/shared/time/invocationTime.ts';
import { exportsFetch } from '../stores/chargeback/exportFiles.ts';
import { exportDeliveriesManage } from '../stores/chargeback/exports.ts';
import { environment } from '../stores/environment.ts';
import { outboxAppend } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';

/** A part of a file. */
const LIMITS = { ...defaultEgressLimits, deadline: MINUTE_MS, messageBytes: PART_BYTES };
/** Longer than an attempt takes. */
const RESERVED_MS = 7 * MINUTE_MS;

const { clock } = environment;
const { exportFiles: files, ...stores } = storesIn(environment, {
  exportDeliveriesManage,
  exportsFetch,
  outboxAppend,
});
const outbound = egress({
  policy: { ports: [], allowHosts: [] },
  resolver: systemResolver,
  now: stopwatch.now,
  limits: LIMITS,
});
const { EXPORTS_S3_URL: localUrl } = settings;
const shared = {
  bucketAccess:
    localUrl === undefined
      ? { assumeRole, requestsOf: bucketRequests.bind(null, { send: outbound.send, now: clock }) }
      : localBuckets({ baseUrl: localUrl, now: clock }, process.env),
  clock,
  newClaim: randomUUID,
};

const run = dueDeliveryRunner({
  ...stores,
  check: destinationChecker({ ...stores, ...shared }),
  deliver: exportDeliverer({
    ...stores,
    ...shared,
    files,
    baseUrl: settings.BASE_URL,
  }),
  clock,
  hasTime: () => hasTimeLeft(RESERVED_MS),
  onFailure: (error, { tenant_id, job_id }) =>
    log({
      level: 'error',
      message: 'an export could not be delivered',
      tenant_id,
      job_id,
      ...describeError(error),
    }),
});

/** Each minute checks destinations, and delivers the exports that are due. */
export const handler = (_event: unknown, context: InvocationContext): Promise<void> =>
  withinInvocation(context, run);
