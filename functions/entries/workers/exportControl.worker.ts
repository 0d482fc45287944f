import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { BeginInput, begin } from '../../chargeback/exports/steps/begin.ts';
import { FailInput, fail } from '../../chargeback/exports/steps/fail.ts';
import { FinishInput, finish } from '../../chargeback/exports/steps/finish.ts';
import { MergeInput, mergePartitions } from '../../chargeback/exports/steps/mergePartitions.ts';
import { measure, withMetrics } from '../../platform/shared/metrics.ts';
import { settings } from '../../platform/shared/settings.ts';
import { nodeHoursRead } from '../stores/attribution.ts';
import { exportsDeliver, exportWorkReadWrite } from '../stores/chargeback/exportFiles.ts';
import { exportsWrite } from '../stores/chargeback/exports.ts';
import { closingsRead, periodsRead } from '../stores/chargeback/periods.ts';
import { environment } from '../stores/environment.ts';
import { rollupsRead } from '../stores/ledger.ts';
import { outboxAppend, tenantsRead } from '../stores/platform.ts';
import { progressRead, totalsComplete } from '../stores/progress.ts';
import { storesIn } from '../stores/provider.ts';

const { exportStore, ...others } = storesIn(environment, {
  closingsRead,
  exportWorkReadWrite,
  exportsDeliver,
  exportsWrite,
  nodeHoursRead,
  outboxAppend,
  periodsRead,
  progressRead,
  rollupsRead,
  tenantsRead,
  totalsComplete,
});
const stores = { ...others, exports: exportStore, clock: environment.clock, baseUrl: settings.BASE_URL };

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
