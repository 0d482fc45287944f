import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { fileStore, workStore } from '../../chargeback/exports/files/file.store.ts';
import { exportStore } from '../../chargeback/exports/job/export.store.ts';
import { BeginInput, begin } from '../../chargeback/exports/steps/begin.ts';
import { FailInput, fail } from '../../chargeback/exports/steps/fail.ts';
import { FinishInput, finish } from '../../chargeback/exports/steps/finish.ts';
import { MergeInput, mergePartitions } from '../../chargeback/exports/steps/mergePartitions.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { measure, withMetrics } from '../../platform/shared/metrics.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { indexLagFromEnv } from '../wiring/indexLagFromEnv.ts';

const stores = {
  exports: exportStore(resource('table', 'exports')),
  tenants: tenantReader(resource('table', 'tenants')),
  rollups: rollupReader(resource('table', 'rollups')),
  indexLag: indexLagFromEnv(),
  outbox: outbox(resource('table', 'outbox')),
  work: workStore(resource('bucket', 'exportWork')),
  files: fileStore(resource('bucket', 'exports')),
  clock: systemClock,
  baseUrl: settings.BASE_URL,
};

const Input = z.discriminatedUnion('step', [
  BeginInput.extend({ step: z.literal('begin') }),
  MergeInput.extend({ step: z.literal('merge') }),
  FinishInput.extend({ step: z.literal('finish') }),
  FailInput.extend({ step: z.literal('fail') }),
]);

/** The steps of an export that change its state or apply to the whole export. Invoked only by the export state machine. */
export const handler = withMetrics(async (event: unknown, { awsRequestId }: Context) => {
  const input = Input.parse(event);
  const deps = { ...stores, attempt: () => awsRequestId };
  switch (input.step) {
    case 'begin':
      return begin(deps)(input);
    case 'merge':
      return mergePartitions(deps)(input);
    case 'finish': {
      const finished = await finish(deps)(input);
      measure('exportsFinished');
      return finished;
    }
    case 'fail': {
      const failed = await fail(deps)(input);
      measure('exportsFailed');
      return failed;
    }
  }
});
